import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// Peers that send one byte at a time, or stop.
@Suite struct SlowPeerTests {
    private static let response =
        "HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\nHTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
        + "5;x=y\r\nhello\r\n0\r\nX-T: 1\r\n\r\n"

    /// Handshake, request and response arrive byte by byte in both directions, with the same result.
    @Test(arguments: Wire.allCases)
    func everyByteSeparately(wire: Wire) async throws {
        let world = try PinnedWorld()
        try await ScriptedServer.with(tls: wire.server(world), version: wire.version) { _ in
            [.text(Self.response)]
        } _: { server in
            let (there, back) = (Turnstile(), Turnstile())
            there.open()
            back.open()
            let plan = FaultPlan(
                toClient: [InjectedFault(.drip(back), after: 0)], toServer: [InjectedFault(.drip(there), after: 0)])
            try await FaultProxy.with(to: server.port, plan: { _ in plan }) { proxy in
                let client = HTTPClient(configuration: wire.configuration(world))
                for number in 1...3 {
                    let body = HTTPBody.bytes(Array("number \(number)".utf8))
                    let answer = try await client.collect(wire.request(.put, port: proxy.port), body: body, upTo: 9)
                    #expect(answer.text == "hello")
                    #expect(answer.trailers?.count == 1)
                }
                #expect(server.requests.map { String(decoding: $0.body, as: UTF8.self) }.last == "number 3")
                #expect(proxy.connectionCount == 1)
                #expect(back.passed >= 3 * Self.response.utf8.count)
                await client.shutdown()
            }
        }
    }

    /// The server stops at any byte. The caller cancels, and its request ends. In HTTP/2 possibly only the stream
    /// ends, so each case has its own client.
    @Test(arguments: Wire.allCases)
    func aCallerCancelsAtEveryByte(wire: Wire) async throws {
        let world = try PinnedWorld()
        try await ScriptedServer.with(tls: wire.server(world), version: wire.version) { _ in
            [.text(Self.response)]
        } _: { server in
            // Over TLS these include bytes of the handshake.
            let places = wire == .plain ? stride(from: 0, to: 120, by: 10) : stride(from: 0, to: 1_000, by: 90)
            for offset in places {
                let client = HTTPClient(configuration: wire.configuration(world))
                let turnstile = Turnstile()
                let plan = FaultPlan(toClient: [InjectedFault(.drip(turnstile), after: 0)])
                try await FaultProxy.with(to: server.port, plan: { _ in plan }) { proxy in
                    let request = Task {  // reason: the test cancels it
                        try await client.collect(wire.request(.post, port: proxy.port), upTo: 9)
                    }
                    turnstile.letPass(offset)
                    while turnstile.passed < offset, !Task.isCancelled { await Task.yield() }
                    request.cancel()
                    let error = try await transportError { _ = try await request.value }
                    #expect(error.code == .cancelled)
                    turnstile.open()
                    await client.shutdown()
                }
                #expect(client.live.isEmpty && client.waitingCount == 0)
                #expect(client.freeConnections == TransportLimits().connections)
            }
            await server.waitForClosed(server.connectionCount)
        }
    }

    /// The handshake's timeout applies to a server that stops during the handshake, even if it sends byte by byte.
    @Test(arguments: [0, 1, 200, 700])
    func silenceDuringTheHandshake(offset: Int) async throws {
        let world = try PinnedWorld()
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond()]
        } _: { server in
            let turnstile = Turnstile()
            turnstile.letPass(offset)
            let plan = FaultPlan(toClient: [InjectedFault(.drip(turnstile), after: 0)])
            try await FaultProxy.with(to: server.port, plan: { _ in plan }) { proxy in
                var configuration = world.configuration()
                configuration.tlsTimeout = .milliseconds(100)
                let client = HTTPClient(configuration: configuration)
                let error = try await transportError {
                    _ = try await client.collect(HTTPRequest(port: proxy.port), upTo: 9)
                }
                #expect(error.code == .timedOut)
                #expect(error.phase == .tls)
                await client.shutdown()
                #expect(client.live.isEmpty)
                turnstile.open()
            }
        }
    }

    /// A delay between any two bytes does not change the result.
    @Test(arguments: Wire.allCases)
    func aDelayedByteIsAwaited(wire: Wire) async throws {
        let world = try PinnedWorld()
        try await ScriptedServer.with(tls: wire.server(world), version: wire.version) { _ in
            [.text(Self.response)]
        } _: { server in
            let client = HTTPClient(configuration: wire.configuration(world))
            for offset in [0, 1, 20, 60, 100] {
                let trigger = Trigger()
                let plan = FaultPlan(toClient: [InjectedFault(.hold(trigger), after: offset)])
                try await FaultProxy.with(to: server.port, plan: { _ in plan }) { proxy in
                    async let answer = client.collect(wire.request(port: proxy.port), upTo: 9)
                    trigger.fire()
                    let text = try await answer.text
                    #expect(text == "hello")
                }
            }
            await client.shutdown()
        }
    }
}
