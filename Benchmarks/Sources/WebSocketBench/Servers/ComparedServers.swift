import BenchSupport
import NIOCore
import NIOPosix
import NIOSSL

/// All servers in the comparison: those in this process share a separate event loop; peers run in processes of
/// their own.
final class ComparedServers: Sendable {
    private struct Endpoint: Hashable {
        var contestant: Contestant
        var isSecure: Bool
        var deflates: Bool
    }

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let load = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let ports: [Endpoint: Int]
    private let processes: [Contestant: InteractiveProcess]
    private let clientContext: NIOSSLContext

    /// Starts the servers.
    init(_ contestants: [Contestant], _ site: Site, peers: Peers) async throws {
        let context = try site.serverContext()
        var ports: [Endpoint: Int] = [:]
        for contestant in contestants {
            for isSecure in [false, true] {
                for deflates in [false, true] {
                    guard let prepare = Listener.preparation(contestant, deflates: deflates) else { continue }
                    let listener = try await Listener.open(isSecure ? context : nil, on: group, prepare: prepare)
                    let endpoint = Endpoint(contestant: contestant, isSecure: isSecure, deflates: deflates)
                    ports[endpoint] = listener.localAddress?.port ?? 0
                }
            }
        }
        var processes: [Contestant: InteractiveProcess] = [:]
        for contestant in contestants {
            guard let process = try peers[contestant]?.server() else { continue }
            processes[contestant] = process
            for kind in try Peer.ports(of: process) {
                ports[Endpoint(contestant: contestant, isSecure: kind.isSecure, deflates: kind.deflates)] = kind.port
            }
        }
        self.processes = processes
        self.ports = ports
        self.clientContext = try site.clientContext()
    }

    /// Opens the connections to one server for one scenario. Returns `nil` if the server is not available.
    func measurement(_ contestant: Contestant, _ scenario: Scenario, text: String) async throws -> ServerMeasurement? {
        let endpoint = Endpoint(contestant: contestant, isSecure: scenario.isSecure, deflates: scenario.deflates)
        guard let port = ports[endpoint] else { return nil }
        var connections: [ReferenceClientConnection] = []
        for _ in 0..<scenario.connections {
            connections.append(
                try await ReferenceClientConnection.open(
                    port: port, tls: scenario.isSecure ? clientContext : nil, deflates: scenario.deflates, on: load))
        }
        // If the server compresses, the compressed form of the text is sent to it.
        guard let frame = try await connections.first?.exchange(text) else { return nil }
        return ServerMeasurement(
            scenario: scenario, connections: connections, frame: frame, load: load.next(),
            process: processes[contestant]?.processID)
    }

    func stop() async throws {
        for process in processes.values { process.end() }
        try await load.shutdownGracefully()
        try await group.shutdownGracefully()
    }
}
