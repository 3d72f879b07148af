package import ChatServerCore

/// The configuration of a ``ChatDevServer``. The defaults are suitable for tests: a free port on loopback, and nothing
/// is stored.
public struct ChatDevServerConfiguration: Sendable {
    /// The address to listen on. The server does not verify who its clients are, so do not expose it to untrusted
    /// networks.
    public var host = "127.0.0.1"
    /// The port; 0 selects a free port.
    public var port = 0
    /// The TLS identity; without one, the server does not use TLS.
    public var tls: TLSIdentity?
    /// The authority for other identities (``CertificateScenario``), which a script or an operator can select while the
    /// server runs. Only with ``tls``.
    public var authority: ServerCertificateAuthority?
    /// The database file, created if it does not exist. Without a path, conversations are lost when the server ends.
    public var databasePath: String?
    /// The directory for uploaded files, created if it does not exist. Without a path, a temporary directory is used
    /// and removed when the server ends.
    public var filesDirectory: String?
    /// Whether an operator answers automatically.
    public var isBotEnabled = true
    /// The delay between a message and the automatic answer. Negative values count as zero, values above one day as one
    /// day.
    public var botDelay: Duration = .milliseconds(1_200)
    /// The accepted access tokens, as sent in `Authorization`; `nil` accepts every client, with or without a token.
    public var acceptedTokens: [String]?
    /// The token for the operators' interface, sent as `Authorization: Bearer …`. Without one, the interface is
    /// disabled.
    public var operatorToken: OperatorToken?
    /// The answers that operators at the desk can insert. The desk needs ``operatorToken``.
    public var cannedAnswers: CannedAnswers?
    /// Accepts operators from other machines; otherwise only from this machine. Anyone with the token can then read
    /// every conversation from anywhere. Without ``tls``, anyone on the network path can read the token.
    public var dangerouslyAllowsRemoteOperators = false
    /// The script that runs from the server's start.
    public var script: ChatServerScript?
    /// A JSON merge patch (RFC 7396) for the answer to the configuration call.
    ///
    /// `{"channelConfig": {"historyLoadingCount": 50}, "schedule": null}` changes one value and removes the schedule.
    public var configurationPatch = "{}"
    /// The limits on clients' use of resources.
    public var limits = ChatDevServerLimits()

    /// The clock.
    package var clock = ServerTimeSource.system
    /// The random source for identifiers.
    package var entropy = RandomSource.system
    /// The settings of the desk's streams.
    var deskStream = DeskStreamSettings()
    /// The limits of the core.
    package var coreLimits = ServerLimits()

    /// Creates a configuration with the defaults.
    public init() {}
}

/// The limits on clients' use of a ``ChatDevServer``. The configuration's `attachmentSettings` limit the size of a
/// file.
public struct ChatDevServerLimits: Hashable, Sendable {
    /// The maximum number of open connections. Further connections wait to be accepted. Over TLS, a client can use
    /// HTTP/2 with at most 100 requests at a time on a connection.
    public var connections = 1_000
    /// The maximum size of a WebSocket message in bytes. The longest message, with 4000 characters and quotes, is far
    /// smaller.
    ///
    /// - Error: close code 1009
    public var messageBytes = 256 * 1024
    /// The maximum size of all header fields of a request in bytes. Over HTTP/2, larger ones can also end the
    /// connection, and the first requests of a connection are limited to 16 KiB.
    ///
    /// - Error: HTTP 400
    public var headerBytes = 32 * 1024
    /// The maximum number of header fields of a request.
    ///
    /// - Error: HTTP 400
    public var headerFields = 100
    /// The maximum size of all uploaded files in bytes.
    ///
    /// - Error: 507 `file.store-full`
    public var storedBytes: Int64 = 1 << 30
    /// The time after which an idle HTTP connection is closed, and an HTTP/2 request that makes no progress.
    public var idleTimeout: Duration = .seconds(60)

    /// Creates limits with the defaults.
    public init() {}
}

extension ChatDevServerLimits {
    /// Throws for limits that would admit nothing, and for limits that exceed any machine.
    func check() throws(ChatDevServerError) {
        let sizes: [(String, Int64)] = [
            ("connections", Int64(connections)), ("messageBytes", Int64(messageBytes)),
            ("headerBytes", Int64(headerBytes)), ("headerFields", Int64(headerFields)), ("storedBytes", storedBytes),
        ]
        for (name, value) in sizes where !(1...(1 << 48)).contains(value) {
            throw ChatDevServerError(
                .invalidConfiguration, reason: "\(value) is not a valid limit for \(name): use 1 to 2^48.")
        }
        guard idleTimeout > .zero, idleTimeout <= .seconds(86_400) else {
            throw ChatDevServerError(
                .invalidConfiguration, reason: "The idle timeout must be greater than zero and at most one day.")
        }
    }
}
