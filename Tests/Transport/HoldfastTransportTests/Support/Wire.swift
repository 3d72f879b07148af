import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// How a client and a server of a test talk.
enum Wire: String, CaseIterable, Sendable, CustomTestStringConvertible {
    /// HTTP/1.1 in the clear.
    case plain
    /// HTTP/1.1 over TLS.
    case tls
    /// HTTP/2 over TLS.
    case http2

    var testDescription: String { rawValue }

    /// What the server does for it.
    func server(_ world: PinnedWorld) -> ServerTLS? {
        switch self {
        case .plain: nil
        case .tls, .http2: ServerTLS(world.leaf)
        }
    }

    /// What the server speaks.
    var version: ScriptedVersion { self == .http2 ? .http2 : .http1 }

    /// What the client does for it.
    func configuration(_ world: PinnedWorld) -> TransportConfiguration {
        var configuration = self == .plain ? TransportConfiguration.forPlainServers : world.configuration()
        configuration.httpVersions = self == .http2 ? .http2Only : .http1Only
        return configuration
    }

    /// A request to the server, or to what stands before it.
    func request(
        _ method: HTTPRequest.Method = .get, port: UInt16, path: String = "/", _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
        switch self {
        case .plain: .plain(method, port: port, path: path, fields)
        case .tls, .http2: HTTPRequest(method, port: port, path: path, fields)
        }
    }
}
