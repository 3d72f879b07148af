import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// How a client and a server of a test talk.
enum Wire: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case plain
    case tls

    var testDescription: String { rawValue }

    /// What the server does for it.
    func server(_ world: PinnedWorld) -> ServerTLS? {
        switch self {
        case .plain: nil
        case .tls: ServerTLS(world.leaf)
        }
    }

    /// What the client does for it.
    func configuration(_ world: PinnedWorld) -> TransportConfiguration {
        switch self {
        case .plain: .forPlainServers
        case .tls: world.configuration()
        }
    }

    /// A request to the server, or to what stands before it.
    func request(
        _ method: HTTPRequest.Method = .get, port: UInt16, path: String = "/", _ fields: HTTPFields = [:]
    ) -> HTTPRequest {
        switch self {
        case .plain: .plain(method, port: port, path: path, fields)
        case .tls: HTTPRequest(method, port: port, path: path, fields)
        }
    }
}
