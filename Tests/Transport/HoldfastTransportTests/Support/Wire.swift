import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// The protocol between a test's client and server.
enum Wire: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// HTTP/1.1 without TLS.
    case plain
    /// HTTP/1.1 over TLS.
    case tls
    /// HTTP/2 over TLS.
    case http2

    var testDescription: String { rawValue }

    /// The TLS settings of the server.
    func server(_ world: PinnedWorld) -> ServerTLS? {
        switch self {
        case .plain: nil
        case .tls, .http2: ServerTLS(world.leaf)
        }
    }

    /// The version that the server uses.
    var version: ScriptedVersion { self == .http2 ? .http2 : .http1 }

    /// The configuration of the client.
    func configuration(_ world: PinnedWorld) -> TransportConfiguration {
        var configuration = self == .plain ? TransportConfiguration.forPlainServers : world.configuration()
        configuration.httpVersions = self == .http2 ? .http2Only : .http1Only
        return configuration
    }

    /// Returns a request to the server, or to the proxy in front of it.
    func request(
        _ method: HTTPRequest.Method = .get, port: UInt16, path: String = "/", _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
        switch self {
        case .plain: .plain(method, port: port, path: path, fields)
        case .tls, .http2: HTTPRequest(method, port: port, path: path, fields)
        }
    }
}
