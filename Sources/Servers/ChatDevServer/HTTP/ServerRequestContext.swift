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

    /// Whether the other side is on this machine; one without an Internet address counts as not.
    var isPeerOnThisMachine: Bool { peer?.ipAddress.map(Self.isThisMachine) ?? false }

    /// Whether an address, as the system writes it, is one of loopback. IPv4 addresses that are written as IPv6 ones count as
    /// what they are.
    static func isThisMachine(_ address: String) -> Bool {
        let text = address.lowercased()
        let plain = text.hasPrefix("::ffff:") ? String(text.dropFirst(7)) : text
        return plain == "::1" || (plain.hasPrefix("127.") && !plain.contains(":"))
    }
}
