#if canImport(FoundationNetworking)
import Foundation
import HoldfastNetworking
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Logging
import Testing

/// A host with a pinned key, servers with and without that key, and sessions that connect to them.
struct BridgeScene {
    static let host = "api.example.com"
    /// A host without pins.
    static let other = "other.example.com"
    let factory = CertificateFactory()
    let root: Identity
    /// The server with the pinned key.
    let pinned: Identity
    /// The right name and the right authority, but a different key.
    let wrongKey: Identity
    /// A self-signed certificate for both hosts.
    let selfSigned: Identity
    /// A certificate of the authority for the host without pins.
    let unpinned: Identity

    init() throws {
        root = try factory.authority("Root")
        pinned = try factory.leaf([Self.host], signedBy: root)
        wrongKey = try factory.leaf([Self.host], signedBy: root)
        selfSigned = try factory.leaf([Self.host, Self.other], signedBy: nil)
        unpinned = try factory.leaf([Self.other], signedBy: root)
    }

    var policy: PinningPolicy {
        get throws { try policy(named: "test") }
    }

    func policy(named name: String) throws -> PinningPolicy {
        try PinningPolicy(
            name: name,
            rules: [
                PinningRule(
                    host: try CanonicalHost(Self.host),
                    pins: PinSet([Pin(pinned.spkiDigest), Pin(SPKIDigest(hashing: Array("backup".utf8)))]))
            ])
    }

    func options(
        tlsTimeout: Duration = .seconds(30), maximumResponseBytes: Int = 1 << 20, logger: Logger? = nil
    ) -> PinnedSessionOptions {
        PinnedSessionOptions(
            transport: TransportConfiguration(
                clock: .fixed(factory.now), tlsTimeout: tlsTimeout,
                hostOverrides: [Self.host: "127.0.0.1", Self.other: "127.0.0.1"]),
            maximumResponseBytes: maximumResponseBytes, logger: logger)
    }

    func session(
        _ delegate: (any URLSessionDelegate)? = nil, configuration: URLSessionConfiguration = .ephemeral,
        queue: OperationQueue? = nil, options: PinnedSessionOptions? = nil
    ) throws -> URLSession {
        URLSession(
            pinnedBy: try policy, configuration: configuration, delegate: delegate, delegateQueue: queue,
            anchors: .only([root.view]), options: options ?? self.options())
    }

    /// A session that does not verify servers, for cleartext servers on the loopback interface.
    static func plain(
        _ delegate: (any URLSessionDelegate)? = nil, configuration: URLSessionConfiguration = .ephemeral,
        maximumResponseBytes: Int = 1 << 20, queue: OperationQueue? = nil, redirects: RedirectPolicy = .follow()
    ) -> URLSession {
        URLSession(
            pinnedBy: .system(), configuration: configuration, delegate: delegate, delegateQueue: queue,
            options: PinnedSessionOptions(maximumResponseBytes: maximumResponseBytes, redirects: redirects))
    }

    static func url(_ server: ScriptedServer, host: String = host, path: String = "/") throws -> URL {
        try #require(URL(string: "https://\(host):\(server.port)\(path)"))
    }

    static func cleartext(_ server: ScriptedServer, path: String = "/") throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
    }
}
#endif
