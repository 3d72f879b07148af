import Foundation
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Transport/HoldfastWebSocket/Documentation.docc/WebSocket.md.
struct WebSocketSnippets {
    func sample1(policy: PinningPolicy) async throws {
        let client = WebSocketClient(configuration: TransportConfiguration(trust: .policy(policy)))
        let connection = try await client.connect("wss://chat.example.com/socket")
        try await connection.send(.text("Hello"))
        for try await message in connection.messages {
            if case .text(let text) = message { print(text) }
        }
    }

    func sample2(connection: WebSocketConnection, file: FileHandle) async throws {
        var options = WebSocketOptions(deliversParts: true)
        options.limits.maximumMessageSize = 4 << 30
        options.limits.maximumFrameSize = 4 << 30
        options.limits.maximumFragments = 1 << 20
        for try await part in connection.parts {
            try file.write(contentsOf: part.bytes)
            if part.isLast { break }
        }
    }
}
