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

    /// Whether the other side is on this machine. IPv4 addresses that are written as IPv6 ones count as what they are.
    var isPeerOnThisMachine: Bool {
        guard let text = peer?.ipAddress?.lowercased() else { return false }
        let address = text.hasPrefix("::ffff:") ? String(text.dropFirst(7)) : text
        return address == "::1" || (address.hasPrefix("127.") && !address.contains(":"))
    }
}
