import BenchSupport
import Foundation
import NIOCore
import NIOPosix
import NIOSSL

/// Measures idle connections. The measured end is a child process, and the other end is in this process.
struct IdleMeasurement {
    /// The number of open connections at the first measurement, so that one-time allocations are not counted.
    private static let first = 50

    private let site: Site
    private let peers: Peers

    init(_ site: Site, peers: Peers) {
        self.site = site
        self.peers = peers
    }

    /// Measures one contestant. Returns `nil` if it is not available.
    func measure(
        _ contestant: IdleContestant, _ role: Scenario.Role, isSecure: Bool, connections: Int
    ) async throws -> IdleFigure? {
        let memories =
            switch role {
            case .server: try await server(contestant, isSecure: isSecure, connections: connections)
            case .client: try await client(contestant, isSecure: isSecure, connections: connections)
            }
        guard let (before, after) = memories else { return nil }
        return IdleFigure(
            contestant, role, isSecure: isSecure, connections: connections, before: before, after: after)
    }

    private func server(
        _ contestant: IdleContestant, isSecure: Bool, connections: Int
    ) async throws -> (Memory, Memory)? {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let process: InteractiveProcess
        let port: Int
        if let name = contestant.peer {
            guard let peer = peers[name] else { return nil }
            process = try peer.server()
            port = try Peer.ports(of: process).first { $0.isSecure == isSecure && !$0.deflates }?.port ?? 0
        } else {
            process = try own(contestant, .server, isSecure: isSecure, port: 0)
            port = Int(try process.ask()) ?? 0
        }
        let context = isSecure ? try site.clientContext() : nil
        let text = MessageText.ascii.text(1024)
        func open(_ count: Int) async throws -> Memory {
            try await IdleOpener.times(count) {
                if contestant == .channel {
                    try await IdleOpener.bareChannel(port: port, tls: context)
                } else {
                    _ = try await ReferenceClientConnection.open(port: port, tls: context, deflates: false, on: group)
                        .exchange(text)
                }
            }
            return try memory(of: process, contestant, "")
        }
        let before = try await open(Self.first)
        let after = try await open(connections)
        process.end()
        try await group.shutdownGracefully()
        return (before, after)
    }

    private func client(
        _ contestant: IdleContestant, isSecure: Bool, connections: Int
    ) async throws -> (Memory, Memory)? {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let listener = try await Listener.open(isSecure ? try site.serverContext() : nil, on: group) { channel in
            try channel.pipeline.syncOperations.addHandler(ReferenceServerHandler())
        }
        let port = listener.localAddress?.port ?? 0
        let before: Memory
        let after: Memory
        if let name = contestant.peer {
            guard let client = try peers[name]?.client() else { return nil }
            let scenario = Scenario(role: .client, isSecure: isSecure, deflates: false, size: .medium, load: .pingPong)
            func open(_ count: Int) async throws -> Memory {
                let measurement = PeerClientMeasurement(
                    scenario: scenario, process: client, url: Site.url(port, isSecure: isSecure),
                    text: MessageText.ascii.text(1024), connections: count)
                _ = try await measurement.measure(for: .microseconds(1))
                return Memory(resident: ResidentSet.kibibytes(of: client.processID), heap: 0)
            }
            before = try await open(Self.first)
            after = try await open(Self.first + connections)
            client.end()
        } else {
            let client = try own(contestant, .client, isSecure: isSecure, port: port)
            before = try memory(of: client, contestant, "\(Self.first)")
            after = try memory(of: client, contestant, "\(connections)")
            client.end()
        }
        try await group.shutdownGracefully()
        return (before, after)
    }

    private func memory(of process: InteractiveProcess, _ contestant: IdleContestant, _ order: String) throws -> Memory
    {
        guard contestant.peer == nil else {
            return Memory(resident: ResidentSet.kibibytes(of: process.processID), heap: 0)
        }
        return try JSONDecoder().decode(Memory.self, from: Data(try process.ask(order).utf8))
    }

    private func own(
        _ contestant: IdleContestant, _ role: Scenario.Role, isSecure: Bool, port: Int
    ) throws -> InteractiveProcess {
        try InteractiveProcess(
            own: [
                "idle", "--contestant", contestant.rawValue, "--role", role.rawValue, "--port", "\(port)", "--site",
                String(decoding: try JSONEncoder().encode(site), as: UTF8.self),
            ] + (isSecure ? ["--secure"] : []))
    }
}
