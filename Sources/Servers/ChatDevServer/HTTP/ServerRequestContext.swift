import Hummingbird
import NIOCore

/// What a route knows of a request beside the request.
struct ServerRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// Who is on the other side of the connection; `nil` where that is no Internet address.
    let peer: SocketAddress?

    init(source: Source) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
    }
}
