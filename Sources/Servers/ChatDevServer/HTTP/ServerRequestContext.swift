import ChatServerCore
import ChatWire
import HTTPTypes
import Hummingbird
import NIOCore

/// The context of a request.
struct ServerRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The peer's address; `nil` if it is not an Internet address.
    let peer: SocketAddress?
    /// The connection.
    let channel: any Channel

    init(source: Source) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
        channel = source.channel
    }
}

extension Caller {
    /// Reads the caller of a request or an upgrade from the documented header fields. The token is in a header field or
    /// in a cookie.
    init(headers: HTTPFields) {
        let dialect = ChatDialect.documented
        self.init(
            token: Self.field(dialect.authorizationHeader, of: headers)
                ?? Self.cookie(dialect.authorizationHeader, of: headers),
            clientID: Self.field(dialect.clientIDHeader, of: headers),
            deviceAddress: Self.field(dialect.deviceAddressHeader, of: headers))
    }

    private static func field(_ name: String, of headers: HTTPFields) -> String? {
        HTTPField.Name(name).flatMap { headers[$0] }
    }

    private static func cookie(_ name: String, of headers: HTTPFields) -> String? {
        for line in headers[values: .cookie] {
            for pair in line.split(separator: ";") {
                let pair = pair.drop { $0 == " " }
                guard let equals = pair.firstIndex(of: "="), pair[..<equals] == name else { continue }
                return String(pair[pair.index(after: equals)...])
            }
        }
        return nil
    }
}
