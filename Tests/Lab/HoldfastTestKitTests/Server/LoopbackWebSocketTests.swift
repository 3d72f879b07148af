import Foundation
import HoldfastTestKit
import HoldfastTransport
import HoldfastWebSocket
import Testing

@Suite("Loopback server: WebSocket", .timeLimit(.minutes(1))) struct LoopbackWebSocketTests {
    let site: PinnedSite
    let client: WebSocketClient

    init() throws {
        site = try PinnedSite()
        client = WebSocketClient(configuration: TransportConfiguration(trust: site.trust))
    }

    private func configuration(_ script: LoopbackWebSocket) -> LoopbackServer.Configuration {
        var configuration = LoopbackServer.Configuration()
        configuration.webSocket = script
        return configuration
    }

    @Test func messagesAreSentBackAndTheUpgradeIsRecorded() async throws {
        try await LoopbackServer.with(site) { server async throws in
            let connection = try await client.connect(server.webSocketURL.absoluteString + "chat")
            try await connection.send(.text("hello"))
            try await connection.send(.binary([1, 2, 3]))
            var received: [WebSocketMessage] = []
            for try await message in connection.messages {
                received.append(message)
                if received.count == 2 { break }
            }
            #expect(received == [.text("hello"), .binary([1, 2, 3])])
            await connection.close()
            let request = try await server.nextRequest()
            #expect(request.isWebSocketUpgrade)
            #expect(request.path == "/chat")
        }
    }

    @Test func scriptedMessagesEndWithTheCloseCode() async throws {
        let script = LoopbackWebSocket.send([.text("one"), .text("two")], thenClose: .goingAway)
        try await LoopbackServer.with(site, configuration(script)) { server async throws in
            let connection = try await client.connect(server.webSocketURL.absoluteString)
            var received: [WebSocketMessage] = []
            for try await message in connection.messages { received.append(message) }
            #expect(received == [.text("one"), .text("two")])
            #expect(connection.closure?.code == .goingAway)
        }
    }

    @Test func upgradesAreRefused() async throws {
        try await LoopbackServer.with(site, configuration(.refuse(status: 403))) { server async throws in
            await #expect(throws: WebSocketError.self) {
                try await client.connect(server.webSocketURL.absoluteString)
            }
            #expect(server.requests.map(\.isWebSocketUpgrade) == [true])
        }
    }
}
