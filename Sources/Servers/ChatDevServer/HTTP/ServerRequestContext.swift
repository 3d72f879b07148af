import Hummingbird
import NIOCore

/// The context of a request.
struct ServerRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The peer's address; `nil` if it is not an Internet address.
    let peer: SocketAddress?

    init(source: Source) {
        coreContext = .init(source: source)
        peer = source.channel.remoteAddress
    }
}
