import Foundation
import HoldfastTrust
import NIOSSL
import ServerKit

/// The configuration of a ``ChatPageServer``. With the defaults, it listens on loopback on a free port.
public struct ChatPageServerConfiguration: Sendable {
    /// The address to listen on. An address that other machines can reach needs ``origins``.
    public var host = "127.0.0.1"
    /// The port; 0 selects a free port.
    public var port = 0
    /// The TLS identity; without one, the server does not use TLS.
    public var tls: ChatPageServerTLS?
    /// The origins under which browsers reach the page, such as `https://chat.example.com`.
    ///
    /// The server refuses requests for any other host name, and forms and WebSockets of any other origin. Behind a
    /// reverse proxy that terminates TLS, this is the proxy's origin. The proxy must keep the `Host` field. Without
    /// origins, the server accepts loopback names and addresses only.
    public var origins: [String] = []
    /// The path below which the page is, such as `/support`; empty for the root.
    public var basePath = ""
    /// Where a browser that is not signed in goes: the address of the app's login. Without one, it gets a page with the
    /// reason.
    public var signInURL: String?
    /// Whether a one-time link may be on a page of another site, such as an app's login on another domain.
    ///
    /// Without it, such a link is refused: a visitor could lead another person's browser into the visitor's own chat
    /// with it (RFC 6819, 4.4.1.8). Links in mails and messengers, and links of the server's own site, always work. A
    /// browser that does not send `Sec-Fetch-Site` is not protected.
    public var acceptsLinksFromOtherSites = false
    /// The offset of the time zone in which the page shows times before its script runs. The script uses the browser's
    /// own time zone.
    public var secondsFromGMT = TimeZone.current.secondsFromGMT()
    /// Accepts origins without TLS that are not on this machine. Anyone on the network path can then read the
    /// conversations and take over a session.
    public var dangerouslyAllowsCleartext = false
    /// Whether the server fetches previews of links, and pictures of operators and buttons, for the page. Without it,
    /// the page shows none.
    public var fetchesPreviews = true
    /// The pictures that the visitors' themes name as assets.
    public var pictures = ChatPagePictures()
    /// The limits on visitors' use of resources.
    public var limits = ChatPageServerLimits()

    /// The clocks.
    package var time = PageServerTime.system
    /// Returns random bytes.
    package var random: @Sendable (Int) -> [UInt8] = { count in
        var generator = SystemRandomNumberGenerator()
        return (0..<count).map { _ in .random(in: .min ... .max, using: &generator) }
    }
    /// Fetches previews, in place of the default.
    var fetcher: PageFetcher?
    /// What the end of a session does.
    var sessionEnding = SessionHouse.Ending()
    /// The size of a connection's send buffer in bytes; `nil` for the system's default. Tests reduce it.
    var sendBuffer: Int?
    /// The limits for the frames that wait for a page.
    var outletLimits = PageOutlet.Limits()

    /// Creates a configuration with the defaults.
    public init() {}
}

/// The limits on visitors' use of a ``ChatPageServer``.
public struct ChatPageServerLimits: Hashable, Sendable {
    /// The maximum number of open connections. Further connections wait to be accepted.
    public var connections = 1_000
    /// The maximum number of visitors whose SDK is in memory. A further visitor ends the session that was idle for the
    /// longest time; if all are in use, the page says so.
    ///
    /// - Error: 503 `full`
    public var sessions = 200
    /// The time after which a session without connections ends. It comes back from the store with the next request.
    public var sessionIdleTime = Duration.seconds(600)
    /// The maximum number of signed-in browsers. A further one signs out the one that was used least recently.
    public var browsers = 10_000
    /// The time after which a browser must sign in again.
    public var signInTime = Duration.seconds(12 * 3_600)
    /// The maximum number of unused one-time tokens. A further one replaces the oldest one.
    public var oneTimeTokens = 1_000
    /// The maximum size of a file that a visitor sends, in bytes. The chat server's own limit may be smaller.
    ///
    /// - Error: 413 `tooLarge`
    public var uploadBytes: Int64 = 128 << 20
    /// The maximum size of all header fields of a request in bytes.
    ///
    /// - Error: HTTP 400
    public var headerBytes = 32 << 10
    /// The maximum number of header fields of a request.
    ///
    /// - Error: HTTP 400
    public var headerFields = 100
    /// The time after which an idle HTTP connection is closed.
    public var idleTimeout = Duration.seconds(60)
    /// The time limit of a connection between two parts of its answers, also while a file is received or sent. After
    /// this time, the connection is closed.
    public var exchangeTime = Duration.seconds(600)

    /// Creates limits with the defaults.
    public init() {}
}

/// The TLS identity of a ``ChatPageServer``.
public struct ChatPageServerTLS: Sendable, CustomStringConvertible, CustomReflectable {
    /// The context for TLS 1.2 or later and HTTP/1.1.
    let context: NIOSSLContext

    /// Creates an identity from a PEM chain, the server's own certificate first, and its unencrypted PEM key.
    ///
    /// - Throws: ``ChatPageServerError/Code/unusableIdentity``. The reason contains nothing of the key.
    public init(certificates: [UInt8], privateKey: [UInt8]) throws(ChatPageServerError) {
        context = try ServerIdentity<ChatPageServerError>(certificates: certificates, privateKey: privateKey).context
    }

    /// Reads the chain and the key from files. Blocks the calling thread.
    public init(certificateFile: String, privateKeyFile: String) throws(ChatPageServerError) {
        context = try ServerIdentity<ChatPageServerError>(
            certificateFile: certificateFile, privateKeyFile: privateKeyFile
        ).context
    }

    /// A fixed text without the key.
    public var description: String { "<TLS identity>" }
    /// A mirror without children, so that a dump does not contain the key.
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ChatPageServerConfiguration {
    /// Checks the settings. Returns the origins.
    func check() throws(ChatPageServerError) -> PageOrigins {
        guard (0...65_535).contains(port) else {
            throw Self.invalid("\(port) is not a valid port: use 0 to 65535.")
        }
        let isRooted = basePath.isEmpty || (basePath.hasPrefix("/") && !basePath.hasSuffix("/"))
        guard isRooted, !basePath.contains("//"),
            basePath.utf8.allSatisfy({ (0x21...0x7E).contains($0) && !"?#%:{}*\"<>\\;".utf8.contains($0) })
        else {
            throw Self.invalid("The base path must be empty or of the form /name, without a slash at its end.")
        }
        try limits.check()
        var listed: [WebOrigin] = []
        for text in origins {
            guard let origin = WebOrigin(text) else {
                throw Self.invalid("'\(text)' is not an origin, as in https://chat.example.com.")
            }
            guard origin.isSecure || origin.host.isLoopback || dangerouslyAllowsCleartext else {
                throw Self.invalid("\(origin) does not use TLS, so that others could read the conversations.")
            }
            listed.append(origin)
        }
        let isLoopback = (try? CanonicalHost(host))?.isLoopback == true
        guard isLoopback || !listed.isEmpty else {
            throw Self.invalid("Other machines can reach \(host): set the origins under which browsers reach the page.")
        }
        return PageOrigins(listed: listed, isSecure: tls != nil)
    }

    fileprivate static func invalid(_ reason: String) -> ChatPageServerError {
        ChatPageServerError(.invalidConfiguration, reason: reason)
    }
}

extension ChatPageServerLimits {
    /// Throws for limits that would admit nothing, and for limits that exceed any machine.
    fileprivate func check() throws(ChatPageServerError) {
        let sizes: [(String, Int64)] = [
            ("connections", Int64(connections)), ("sessions", Int64(sessions)), ("browsers", Int64(browsers)),
            ("oneTimeTokens", Int64(oneTimeTokens)), ("uploadBytes", uploadBytes),
            ("headerBytes", Int64(headerBytes)), ("headerFields", Int64(headerFields)),
        ]
        for (name, value) in sizes where !(1...(1 << 40)).contains(value) {
            throw ChatPageServerConfiguration.invalid("\(value) is not a valid limit for \(name): use 1 to 2^40.")
        }
        for time in [sessionIdleTime, signInTime, idleTimeout, exchangeTime] {
            guard time > .zero, time <= .seconds(365 * 86_400) else {
                throw ChatPageServerConfiguration.invalid("A time limit must be more than zero and at most a year.")
            }
        }
    }
}
