import HTTPTypes
import HoldfastTestSupport
import HoldfastTransport
import HoldfastTrust
import HoldfastWebSocket
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Tests both roles against each other over sockets.
@Suite struct EchoTests {
    /// The server and client of a test.
    struct World: Sendable {
        let server: WebSocketTestServer
        let client: WebSocketClient
        let url: String
    }

    static let host = "chat.example"

    static func world(
        tls: Bool, options: WebSocketServerOptions = WebSocketServerOptions(keepAlive: nil),
        service: @escaping WebSocketTestServer.Service = WebSocketTestServer.echo
    ) async throws -> World {
        guard tls else {
            let server = try await WebSocketTestServer.start(options: options, service: service)
            return World(server: server, client: WebSocketClient(), url: "ws://127.0.0.1:\(server.port)/chat")
        }
        let factory = CertificateFactory()
        let root = try factory.authority("Root")
        let issuer = try factory.intermediate("Issuer", signedBy: root)
        let leaf = try factory.leaf([host], signedBy: issuer)
        let server = try await WebSocketTestServer.start(identity: leaf, options: options, service: service)
        let evaluator = PublicKeyPinningEvaluator(pinnedKeyHashes: [Data(leaf.spkiDigest.bytes)])
        let trust = TrustContext.evaluators([host: evaluator], anchors: .only([root.view]))
        let configuration = TransportConfiguration(
            trust: trust, clock: .fixed(factory.now), hostOverrides: [host: "127.0.0.1"])
        return World(
            server: server, client: WebSocketClient(configuration: configuration),
            url: "wss://\(host):\(server.port)/chat")
    }

    @Test(arguments: [false, true])
    func echoesMessages(tls: Bool) async throws {
        let world = try await Self.world(tls: tls)
        let connection = try await world.client.connect(world.url)
        if tls {
            let verdict = try #require(connection.facts.verdict)
            #expect(verdict.permitsConnection)
            #expect(verdict.path != nil)
            #expect(connection.facts.tlsVersion == "TLSv1.3")
        } else {
            #expect(connection.facts.verdict == nil)
        }
        var messages = connection.messages.makeAsyncIterator()
        let large = String(repeating: "Grüße ", count: 100_000)
        let all: [WebSocketMessage] = [
            .text("Hello"), .text(""), .binary([]), .binary([0, 255, 128]), .text(large),
            .binary([UInt8](repeating: 7, count: 1 << 20)),
        ]
        for message in all {
            try await connection.send(message)
            #expect(try await messages.next() == message)
        }
        #expect(try await connection.ping() > .zero)
        await connection.close(.normal, reason: "done")
        #expect(connection.closure == WebSocketClosure(code: .normal, initiator: .local, isClean: true))
        #expect(try await messages.next() == nil)
        await world.server.stop()
    }

    @Test(arguments: [false, true])
    func echoesFragments(tls: Bool) async throws {
        let world = try await Self.world(
            tls: tls, options: WebSocketServerOptions(keepAlive: nil, fragmentSize: 1000))
        let connection = try await world.client.connect(world.url, options: WebSocketOptions(fragmentSize: 3))
        let text = String(repeating: "κόσμε😀", count: 1000)
        try await connection.send(.text(text))
        #expect(try await connection.messages.first { _ in true } == .text(text))
        await connection.close()
        await world.server.stop()
    }

    @Test(arguments: [false, true])
    func reportsAServersClose(tls: Bool) async throws {
        let world = try await Self.world(tls: tls) { connection, _ in
            try? await connection.send(.text("last words"))
            await connection.close(.tryAgainLater, reason: "busy")
        }
        let connection = try await world.client.connect(world.url)
        var seen: [WebSocketMessage] = []
        for try await message in connection.messages { seen.append(message) }
        #expect(seen == [.text("last words")])
        #expect(
            connection.closure
                == WebSocketClosure(code: .tryAgainLater, reason: "busy", initiator: .remote, isClean: true))
        await connection.close()
        await world.server.stop()
    }

    /// A slow reader receives all data, whole and in order, although it far exceeds all buffers.
    @Test(arguments: [false, true])
    func slowReaderReceivesAllMessages(tls: Bool) async throws {
        let count = 300
        let world = try await Self.world(
            tls: tls,
            options: WebSocketServerOptions(limits: WebSocketLimits(sendBuffer: 64 * 1024), keepAlive: nil)
        ) { connection, _ in
            for number in 0..<count {
                try? await connection.send(
                    .binary([UInt8](repeating: UInt8(truncatingIfNeeded: number), count: 40_000)))
            }
            await connection.close()
        }
        let options = WebSocketOptions(limits: WebSocketLimits(receiveBuffer: 64 * 1024))
        let connection = try await world.client.connect(world.url, options: options)
        var next = 0
        for try await message in connection.messages {
            guard case .binary(let bytes) = message else { continue }
            #expect(bytes.count == 40_000 && bytes.first == UInt8(truncatingIfNeeded: next))
            next += 1
            for _ in 0..<20 { await Task.yield() }
        }
        #expect(next == count)
        await world.server.stop()
    }

    @Test func concurrentSendersKeepTheirOrder() async throws {
        let world = try await Self.world(tls: false)
        let connection = try await world.client.connect(
            world.url, options: WebSocketOptions(limits: WebSocketLimits(sendBuffer: 256)))
        try await withThrowingTaskGroup { group in
            for sender in UInt8(0)..<4 {
                group.addTask {
                    for number in UInt8(0)..<100 { try await connection.send(.binary([sender, number])) }
                }
            }
            var next = [UInt8](repeating: 0, count: 4)
            var messages = connection.messages.makeAsyncIterator()
            for _ in 0..<400 {
                guard case .binary(let bytes) = try await messages.next() else { break }
                #expect(bytes[1] == next[Int(bytes[0])])
                next[Int(bytes[0])] += 1
            }
            #expect(next == [100, 100, 100, 100])
            try await group.waitForAll()
        }
        await connection.close()
        await world.server.stop()
    }
}
