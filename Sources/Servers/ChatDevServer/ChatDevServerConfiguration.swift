package import ChatServerCore

/// How a ``ChatDevServer`` is to run. The defaults make a server for a test: a free port on loopback, nothing kept.
public struct ChatDevServerConfiguration: Sendable {
    /// The address to listen on. The server knows its clients by what they say of themselves: do not let strangers in.
    public var host = "127.0.0.1"
    /// The port; 0 takes a free one.
    public var port = 0
    /// What the server shows of itself; without it the server speaks cleartext.
    public var tls: TLSIdentity?
    /// What the server can be told to show instead while it runs, by a script or an operator: any ``CertificateScenario``. Only
    /// with ``tls``.
    public var authority: ServerCertificateAuthority?
    /// The database file, made when there is none. Without one, conversations end with the server.
    public var databasePath: String?
    /// The directory for uploaded files, made when there is none. Without one they lie in a temporary directory that goes
    /// with the server.
    public var filesDirectory: String?
    /// Whether an operator answers by itself.
    public var isBotEnabled = true
    /// The time from a message to the bot's answer. Negative times count as zero, times above a day as a day.
    public var botDelay: Duration = .milliseconds(1_200)
    /// The access tokens that are accepted, as they come in `Authorization`; `nil` accepts every client, also without one.
    public var acceptedTokens: [String]?
    /// What operators must show, as `Authorization: Bearer …`, to use the operators' interface; without it there is none.
    public var operatorToken: OperatorToken?
    /// Lets operators on other machines use their interface; else it answers this machine alone. Whoever holds the token then
    /// reads every conversation from anywhere, and without ``tls`` everybody on the way reads the token.
    public var dangerouslyAllowsRemoteOperators = false
    /// What happens of itself from the server's start on.
    public var script: ChatServerScript?
    /// What the answer to the configuration call has that the default answer has not: a JSON merge patch (RFC 7396).
    ///
    /// `{"channelConfig": {"historyLoadingCount": 50}, "schedule": null}` changes one value and takes the schedule out.
    public var configurationPatch = "{}"
    /// What clients may cost.
    public var limits = ChatDevServerLimits()

    /// Where the server's time comes from.
    package var clock = ServerTimeSource.system
    /// Where its identifiers come from.
    package var entropy = RandomSource.system
    /// What the core allows.
    package var coreLimits = ServerLimits()

    /// The defaults.
    public init() {}
}
