import BenchSupport
import NIOCore
import NIOPosix
import NIOSSL

/// All servers in the comparison: those in this process share a separate event loop; Python's runs in another process.
final class ComparedServers: Sendable {
    private struct Endpoint: Hashable {
        var contestant: Contestant
        var isSecure: Bool
        var deflates: Bool
    }

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let load = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let ports: [Endpoint: Int]
    private let python: InteractiveProcess?
    private let clientContext: NIOSSLContext

    /// Starts the servers.
    init(_ contestants: [Contestant], _ site: Site, python: Python?) async throws {
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
        self.python = try contestants.contains(.python) ? python?.server() : nil
        if let answer = try self.python?.ask() {
            // The ports for plain text, plain text with compression, TLS, and TLS with compression.
            let numbers = answer.split(separator: " ").compactMap { Int($0) }
            let kinds = [(false, false), (false, true), (true, false), (true, true)]
            for (number, (isSecure, deflates)) in zip(numbers, kinds) {
                ports[Endpoint(contestant: .python, isSecure: isSecure, deflates: deflates)] = number
            }
        }
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
            process: contestant == .python ? python?.processID : nil)
    }

    func stop() async throws {
        python?.end()
        try await load.shutdownGracefully()
        try await group.shutdownGracefully()
    }
}
