import BenchSupport
import NIOCore
import NIOPosix
import NIOSSL

/// All servers that are compared: those of this process on one event loop of their own, and Python's.
final class ServerHall: Sendable {
    private struct Door: Hashable {
        var contestant: Contestant
        var isSecure: Bool
        var deflates: Bool
    }

    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let load = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let ports: [Door: Int]
    private let python: Dialogue?
    private let clientContext: NIOSSLContext

    /// Opens them.
    init(_ contestants: [Contestant], _ site: Site, python: Python?) async throws {
        let context = try site.serverContext()
        var ports: [Door: Int] = [:]
        for contestant in contestants {
            for isSecure in [false, true] {
                for deflates in [false, true] {
                    guard let prepare = Listener.preparation(contestant, deflates: deflates) else { continue }
                    let listener = try await Listener.open(isSecure ? context : nil, on: group, prepare: prepare)
                    let door = Door(contestant: contestant, isSecure: isSecure, deflates: deflates)
                    ports[door] = listener.localAddress?.port ?? 0
                }
            }
        }
        self.python = try contestants.contains(.python) ? python?.server() : nil
        if let answer = try self.python?.ask() {
            // plain, with compression, TLS, TLS with compression
            let numbers = answer.split(separator: " ").compactMap { Int($0) }
            let kinds = [(false, false), (false, true), (true, false), (true, true)]
            for (number, (isSecure, deflates)) in zip(numbers, kinds) {
                ports[Door(contestant: .python, isSecure: isSecure, deflates: deflates)] = number
            }
        }
        self.ports = ports
        self.clientContext = try site.clientContext()
    }

    /// What is measured of one server in one scenario.
    func course(_ contestant: Contestant, _ scenario: Scenario, text: String) async throws -> ServerCourse? {
        let door = Door(contestant: contestant, isSecure: scenario.isSecure, deflates: scenario.deflates)
        guard let port = ports[door] else { return nil }
        var connections: [PeerConnection] = []
        for _ in 0..<scenario.connections {
            connections.append(
                try await PeerConnection.open(
                    port: port, tls: scenario.isSecure ? clientContext : nil, deflates: scenario.deflates, on: load))
        }
        // Where the server compresses, what it makes of the text is what is sent to it.
        guard let frame = try await connections.first?.exchange(text) else { return nil }
        return ServerCourse(
            scenario: scenario, connections: connections, frame: frame, load: load.next(),
            process: contestant == .python ? python?.processID : nil)
    }

    func stop() async throws {
        python?.end()
        try await load.shutdownGracefully()
        try await group.shutdownGracefully()
    }
}
