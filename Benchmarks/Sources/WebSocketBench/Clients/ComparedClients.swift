import BenchSupport
import HoldfastWebSocket
import NIOCore
import NIOPosix
import NIOSSL

/// All clients in the comparison, and the reference server on a separate event loop.
final class ComparedClients: Sendable {
    private let group = MultiThreadedEventLoopGroup(numberOfThreads: 1)
    private let plainPort: Int
    private let securePort: Int
    private let context: NIOSSLContext
    private let holdfast: WebSocketClient
    private let processes: [Contestant: InteractiveProcess]

    /// Starts the server and the clients in other processes.
    init(_ contestants: [Contestant], _ site: Site, peers: Peers) async throws {
        let prepare: @Sendable (any Channel) throws -> Void = { channel in
            try channel.pipeline.syncOperations.addHandler(ReferenceServerHandler())
        }
        let plain = try await Listener.open(nil, on: group, prepare: prepare)
        let secure = try await Listener.open(try site.serverContext(), on: group, prepare: prepare)
        self.plainPort = plain.localAddress?.port ?? 0
        self.securePort = secure.localAddress?.port ?? 0
        self.context = try site.clientContext()
        self.holdfast = try HoldfastClientConnection.client(site)
        var processes: [Contestant: InteractiveProcess] = [:]
        for contestant in contestants { processes[contestant] = try peers[contestant]?.client() }
        self.processes = processes
    }

    /// Opens the connections of one client for one scenario. Returns `nil` if the client is not available.
    func measurement(_ contestant: Contestant, _ scenario: Scenario, text: String) async throws -> (any Measurement)? {
        let port = scenario.isSecure ? securePort : plainPort
        if contestant.isPeer {
            let url = Site.url(port, isSecure: scenario.isSecure)
            return processes[contestant].map {
                PeerClientMeasurement(scenario: scenario, process: $0, url: url, text: text)
            }
        }
        var connections: [any ClientConnection] = []
        for _ in 0..<scenario.connections {
            connections.append(
                try await open(contestant, port: port, isSecure: scenario.isSecure, deflates: scenario.deflates))
        }
        return ClientMeasurement(scenario: scenario, connections: connections, text: text, server: group.next())
    }

    private func open(
        _ contestant: Contestant, port: Int, isSecure: Bool, deflates: Bool
    ) async throws -> any ClientConnection {
        let tls = isSecure ? context : nil
        return switch contestant {
        case .nio: try await BareClientConnection.open(port: port, tls: tls)
        case .nioAsync: try await AsyncClientConnection.open(port: port, tls: tls)
        case .holdfast, .holdfastOnLoop:
            try await HoldfastClientConnection.open(
                holdfast, port: port, isSecure: isSecure, deflates: deflates, onLoop: contestant == .holdfastOnLoop)
        case .python, .beast, .libwebsockets: throw WrongEcho(what: "The client runs in another process.")
        }
    }

    func stop() async throws {
        for process in processes.values { process.end() }
        try await group.shutdownGracefully()
    }
}
