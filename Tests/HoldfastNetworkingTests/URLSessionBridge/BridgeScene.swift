#if canImport(FoundationNetworking)
import Foundation
import HoldfastNetworking
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Logging
import Testing

/// A host with a pinned key, servers that have it and servers that have not, and sessions that know it.
struct BridgeScene {
    static let host = "api.example.com"
    /// A host that no pin names.
    static let other = "other.example.com"
    let factory = CertificateFactory()
    let root: Identity
    /// The server with the pinned key.
    let pinned: Identity
    /// The right name and the right authority, another key.
    let wrongKey: Identity
    /// Nobody has signed it; for both hosts.
    let selfSigned: Identity
    /// The authority's, for the host without pins.
    let unpinned: Identity

    init() throws {
        root = try factory.authority("Root")
        pinned = try factory.leaf([Self.host], signedBy: root)
        wrongKey = try factory.leaf([Self.host], signedBy: root)
        selfSigned = try factory.leaf([Self.host, Self.other], signedBy: nil)
        unpinned = try factory.leaf([Self.other], signedBy: root)
    }

    var policy: PinningPolicy {
        get throws {
            try PinningPolicy(
                name: "test",
                rules: [
                    PinningRule(
                        host: try CanonicalHost(Self.host),
                        pins: PinSet([Pin(pinned.spkiDigest), Pin(SPKIDigest(hashing: Array("backup".utf8)))]))
                ])
        }
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

    /// A session that is not asked about servers, for those in cleartext on the loopback.
    static func plain(
        _ delegate: (any URLSessionDelegate)? = nil, configuration: URLSessionConfiguration = .ephemeral,
        maximumResponseBytes: Int = 1 << 20, queue: OperationQueue? = nil
    ) -> URLSession {
        URLSession(
            pinnedBy: .system(), configuration: configuration, delegate: delegate, delegateQueue: queue,
            options: PinnedSessionOptions(maximumResponseBytes: maximumResponseBytes))
    }

    static func url(_ server: ScriptedServer, host: String = host, path: String = "/") throws -> URL {
        try #require(URL(string: "https://\(host):\(server.port)\(path)"))
    }

    static func cleartext(_ server: ScriptedServer, path: String = "/") throws -> URL {
        try #require(URL(string: "http://127.0.0.1:\(server.port)\(path)"))
    }
}

/// What a data task's delegate was told.
final class RecordingDelegate: NSObject, URLSessionDataDelegate, Sendable {
    typealias Reply = @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    let events = EventLog()
    private let redirect: @Sendable (URLRequest) -> URLRequest?

    init(redirect: @escaping @Sendable (URLRequest) -> URLRequest? = { $0 }) {
        self.redirect = redirect
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        events.add("response \((response as? HTTPURLResponse)?.statusCode ?? 0)")
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        events.add("data \(String(decoding: data, as: UTF8.self))")
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        events.add("end \((error as? URLError).map { "\($0.code.rawValue)" } ?? "ok")")
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest request: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        events.add("redirect \(response.statusCode) to \(request.url?.path ?? "")")
        completionHandler(redirect(request))
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
        events.add("invalid")
    }
}
#endif
