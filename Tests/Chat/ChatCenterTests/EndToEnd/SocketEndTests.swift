import ChatCenterCore
import ChatWire
import Foundation
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import HoldfastWebSocket
import Testing

@testable import ChatCenter

/// The core receives the end of a socket exactly once, for every kind of end.
@Suite(.timeLimit(.minutes(1))) struct SocketEndTests {
    /// How the server ends a socket during a write.
    enum End: CaseIterable {
        case closeFrame, closed, reset

        var actions: [ScriptedAction] {
            switch self {
            // A close frame with FIN and the code 4401.
            case .closeFrame: [.send([0x88, 0x02, 0x11, 0x31]), .stopReading, .close]
            case .closed: [.stopReading, .close]
            case .reset: [.stopReading, .reset]
            }
        }
    }

    private static func upgrade(_ request: ScriptedRequest) -> [UInt8] {
        let accept = request.field("sec-websocket-key").flatMap { WebSocketKey($0) }?.accept ?? "none"
        return Array(
            ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + "Sec-WebSocket-Accept: \(accept)\r\n\r\n").utf8)
    }

    @Test("a socket that ends during a write is reported to the core once", arguments: End.allCases)
    func told(end: End) async throws {
        try await ScriptedServer.with({ [.send(Self.upgrade($0))] + end.actions }) { server in
            let base = "http://127.0.0.1:\(server.port)"
            let transport = try ChatTransportConfig(
                validating: base, webSocket: "ws://127.0.0.1:\(server.port)", dataStore: base)
            let log = ChatLog(
                ChatLoggerConfig(), defaultDirectory: URL(fileURLWithPath: "/nowhere"), timestamp: { "" },
                sink: { _ in })
            let (events, told) = AsyncStream.makeStream(of: NetworkEvent.self)
            let network = LiveChatNetwork(
                configuration: TransportConfiguration(trust: .system(anchors: .only([]))),
                addresses: ServerAddresses(
                    endpoints: try #require(transport.endpoints), dialect: .documented, newRoutesEnabled: true,
                    dataStoreHeaders: [:]),
                timeouts: NetworkTimeouts(ChatNetworkConfig()),
                reporter: NetworkReporter(sink: { told.yield($0) }, errors: ErrorTable(), log: log, now: { 0 }),
                folder: { _ in nil })
            let rounds: UInt64 = 20
            var ends: [Generation: Int] = [:]
            var iterator = events.makeAsyncIterator()
            for round in 1...rounds {
                let generation = Generation(round)
                network.perform(
                    .openSocket(
                        generation, SocketRequest(credentials: WireCredentials(), timeoutMilliseconds: 30_000)))
                while ends[generation] == nil, let event = await iterator.next() {
                    switch event {
                    case .socketOpened(let opened):
                        for number in 0..<20 {
                            network.perform(
                                .transmit(
                                    opened, FrameID(UInt64(number)), ClientFrame(.ping, correlationID: "\(number)")))
                        }
                    case .socketClosed(let closed, _): ends[closed, default: 0] += 1
                    default: break
                    }
                }
            }
            told.finish()
            while let event = await iterator.next() {
                if case .socketClosed(let closed, _) = event { ends[closed, default: 0] += 1 }
            }
            #expect(ends.count == Int(rounds))
            #expect(ends.values.allSatisfy { $0 == 1 })
        }
    }
}
