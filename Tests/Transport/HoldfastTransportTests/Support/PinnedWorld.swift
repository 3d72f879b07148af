import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust

/// A host with a certificate chain, an untrusted authority, and clients that trust the right one.
struct PinnedWorld: Sendable {
    static let host = "chat.example.com"

    let factory = CertificateFactory()
    let root: Identity
    let intermediate: Identity
    let leaf: Identity
    let rogue: Identity

    init() throws {
        root = try factory.authority("Test Root")
        intermediate = try factory.intermediate("Test Intermediate", signedBy: root)
        leaf = try factory.leaf([Self.host], signedBy: intermediate)
        rogue = try factory.leaf([Self.host], signedBy: factory.authority("Rogue Root"))
    }

    /// System verification with the test's root.
    var trust: TrustContext { .system(anchors: .only([root.view])) }

    /// A configuration that maps the test's host to 127.0.0.1.
    func configuration(trust: TrustContext? = nil) -> TransportConfiguration {
        TransportConfiguration(
            trust: trust ?? self.trust, clock: .fixed(factory.now), hostOverrides: [Self.host: "127.0.0.1"])
    }
}

extension HTTPRequest {
    /// A request to a test server.
    init(
        _ method: Method = .get, port: UInt16, host: String = PinnedWorld.host, path: String = "/",
        scheme: String = "https", _ fields: HTTPFields = [:]
    ) {
        self.init(method: method, scheme: scheme, authority: "\(host):\(port)", path: path, headerFields: fields)
    }

    /// A request without TLS to a test server.
    static func plain(
        _ method: Method = .get, port: UInt16, path: String = "/", _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
        HTTPRequest(method, port: port, host: "127.0.0.1", path: path, scheme: "http", fields)
    }
}

extension TransportConfiguration {
    /// A configuration for cleartext servers on the loopback interface. It refuses every TLS server.
    static let forPlainServers = TransportConfiguration(trust: .system(anchors: .only([])))

    /// The same for a version of HTTP that the server is known to use.
    static func plain(_ version: ScriptedVersion) -> TransportConfiguration {
        var configuration = forPlainServers
        configuration.httpVersions = version == .http2 ? .http2Only : .http1Only
        return configuration
    }
}

extension HTTPClient {
    /// Returns when the client has no open connection. The client detects a close shortly after the server.
    func untilAllAreClosed() async {
        while !live.isEmpty, !Task.isCancelled { await Task.yield() }
    }
}

/// Runs `body` and returns the transport's error.
func transportError(_ body: () async throws -> Void) async throws -> TransportError {
    do {
        try await body()
    } catch let error as TransportError {
        return error
    }
    throw MissingError()
}

/// Runs `body` and returns the transport's error, if there is one.
func transportErrorOrNil(_ body: () async throws -> Void) async throws -> TransportError? {
    do {
        try await body()
        return nil
    } catch let error as TransportError {
        return error
    }
}

/// The error of a test in which an expected failure did not occur.
struct MissingError: Error {}

extension CollectedResponse {
    var text: String { String(decoding: body, as: UTF8.self) }
}
