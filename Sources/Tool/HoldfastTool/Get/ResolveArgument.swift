import HoldfastBase
import HoldfastTransport
import HoldfastTrust
import NIOCore
import Synchronization

/// An argument of `--resolve`: the address of one host and port.
struct ResolveArgument: Hashable, Sendable {
    /// The host and the port in a URL.
    var server: ProbeTarget
    /// The IP address to connect to.
    var address: String

    /// Parses `HOST:PORT:ADDRESS`, as curl does. IPv6 addresses may have brackets; as a host, they need them. Throws
    /// one sentence.
    init(_ text: String) throws(ToolError) {
        let shown = Printable.text(text)
        let form = ToolError("--resolve: '\(shown)' must have the form HOST:PORT:ADDRESS", status: .usage)
        let afterHost = text.first == "[" ? text.firstIndex(of: "]") ?? text.startIndex : text.startIndex
        guard let colon = text[afterHost...].firstIndex(of: ":") else { throw form }
        let rest = text[text.index(after: colon)...]
        guard let second = rest.firstIndex(of: ":") else { throw form }
        let digits = rest[..<second]
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits), port > 0 else {
            throw ToolError("--resolve: the port in '\(shown)' must be 1 to 65535", status: .usage)
        }
        let host = try ToolError.explaining(
            "--resolve: the host in '\(shown)': ", status: .usage, CanonicalHost(String(text[..<colon])))
        let target = try ToolError.explaining(
            "--resolve: the address in '\(shown)': ", status: .usage,
            CanonicalHost(String(rest[rest.index(after: second)...])))
        guard target.isIPLiteral else {
            throw ToolError("--resolve: '\(shown)' must end with an IP address", status: .usage)
        }
        guard host.isIPLiteral || !host.isLoopback else {
            throw ToolError("--resolve: \(host) always leads to this machine (RFC 6761)", status: .usage)
        }
        server = ProbeTarget(host: host, port: port)
        address = target.text
    }

    /// Parses several arguments. Throws one sentence, also if two of them contradict each other.
    static func addresses(_ arguments: [String]) throws(ToolError) -> [ProbeTarget: String] {
        var addresses: [ProbeTarget: String] = [:]
        for argument in arguments {
            let entry = try ResolveArgument(argument)
            if let other = addresses[entry.server], other != entry.address {
                throw ToolError("--resolve: there are two addresses for \(entry.server)", status: .usage)
            }
            addresses[entry.server] = entry.address
        }
        return addresses
    }
}

/// Connects to the addresses of `--resolve` instead of asking the system's resolver. The host of the URL remains the
/// server name and the subject of the verdict. Thread-safe.
final class ResolvingConnector: Connector {
    private let base: any Connector
    private let addresses: [ProbeTarget: String]
    private let used = Mutex<Set<ProbeTarget>>([])

    /// Creates a connector. `base` opens the sockets.
    init(_ addresses: [ProbeTarget: String], base: any Connector = SocketConnector()) {
        self.addresses = addresses
        self.base = base
    }

    /// The entries that no connection has used, in a stable order.
    var unused: [ProbeTarget] {
        let used = used.withLock(\.self)
        return addresses.keys.filter { !used.contains($0) }.sorted { $0.description < $1.description }
    }

    func connect(
        host: String, port: UInt16, timeout: Duration, on loop: any EventLoop,
        noting: @escaping @Sendable (any Channel) -> Void
    ) -> EventLoopFuture<any Channel> {
        var address = host
        if let name = try? CanonicalHost(host) {
            let server = ProbeTarget(host: name, port: port)
            if let other = addresses[server] {
                address = other
                _ = used.withLock { $0.insert(server) }
            }
        }
        return base.connect(host: address, port: port, timeout: timeout, on: loop, noting: noting)
    }
}
