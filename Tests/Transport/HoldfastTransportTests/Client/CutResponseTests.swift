import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// A response that is cut at any byte is an error: never a shorter success, and never an endless wait.
@Suite struct CutResponseTests {
    private let plain = TransportConfiguration.forPlainServers

    static let responses = [
        "HTTP/1.1 200 OK\r\nContent-Length: 11\r\n\r\nhello world",
        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nhello \r\n5;x=y\r\nworld\r\n0\r\nX-T: 1\r\n\r\n",
        "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok",
    ]

    @Test(arguments: responses)
    func cutAtEveryByteItIsAnError(response: String) async throws {
        let length = response.utf8.count
        try await ScriptedServer.with { _ in
            [.text(response)]
        } _: { server in
            let proxy = try await FaultProxy.start(to: server.port) { number in
                FaultPlan(toClient: [InjectedFault(number % 2 == 0 ? .close : .reset, after: number / 2)])
            }
            var configuration = plain
            configuration.keepAlive = .zero
            let client = HTTPClient(configuration: configuration)
            // Two connections for each cut: one is closed, one is reset.
            for number in 0..<(2 * length) {
                let error = try await transportError {
                    let answer = try await client.collect(.plain(.post, port: proxy.port), upTo: 99)
                    Issue.record("accepted after a cut at byte \(number / 2) of \(length): \(answer.text)")
                }
                // A reset before the first byte can make the connection attempt fail.
                let isCut = error.code == .connectionClosed || number == 1 && error.code == .connectionRefused
                #expect(isCut, "cut after \(number / 2): \(error)")
            }
            // Without a cut the response is complete.
            let answer = try await client.collect(.plain(.post, port: proxy.port), upTo: 99)
            #expect(answer.response.status == .ok)
            #expect(answer.text == "hello world" || answer.text == "ok")
            try await proxy.stop()
        }
    }

    /// The response does not depend on where it is split into segments.
    @Test(arguments: responses)
    func splitAtEveryByteItIsUnchanged(response: String) async throws {
        let trigger = Trigger()
        trigger.fire()
        let bytes = Array(response.utf8)
        try await ScriptedServer.with { request in
            let split = request.number % bytes.count
            return [.send(Array(bytes[..<split])), .wait(trigger), .send(Array(bytes[split...]))]
        } _: { server in
            let client = HTTPClient(configuration: plain)
            for _ in bytes.indices {
                let answer = try await client.collect(.plain(port: server.port), upTo: 99)
                #expect(answer.text == "hello world" || answer.text == "ok")
            }
            #expect(server.connectionCount == 1)
        }
    }

    /// The same cuts of the TLS records.
    @Test func overTLSAtEveryFortiethByte() async throws {
        let world = try PinnedWorld()
        try await ScriptedServer.with(tls: ServerTLS(world.leaf)) { _ in
            [.respond(String(repeating: "x", count: 600))]
        } _: { server in
            let proxy = try await FaultProxy.start(to: server.port) { number in
                FaultPlan(toClient: [InjectedFault(.close, after: number * 40)])
            }
            let client = HTTPClient(configuration: world.configuration())
            var codes: Set<TransportError.Code> = []
            var successes = 0
            for _ in 0..<160 {
                do {
                    let answer = try await client.collect(HTTPRequest(.post, port: proxy.port), upTo: 999)
                    #expect(answer.body.count == 600)
                    successes += 1
                    await client.shutdown()
                    break
                } catch let error as TransportError {
                    codes.insert(error.code)
                }
            }
            #expect(successes == 1)
            #expect(codes == [.tlsHandshakeFailed, .connectionClosed])
            try await proxy.stop()
        }
    }

    @Test func garbageInTheMiddleIsAnError() async throws {
        try await ScriptedServer.with { _ in
            [.text(Self.responses[1])]
        } _: { server in
            let proxy = try await FaultProxy.start(to: server.port) { _ in
                FaultPlan(toClient: [InjectedFault(.inject([0, 255, 13, 10]), after: 60)])
            }
            let client = HTTPClient(configuration: plain)
            let error = try await transportError {
                _ = try await client.collect(.plain(port: proxy.port), upTo: 99)
            }
            #expect(error.code == .malformedResponse)
            try await proxy.stop()
        }
    }

    /// The server closes its half of the connection and the client does not. An incomplete response is an error.
    @Test func aHalfClosedConnectionIsClosed() async throws {
        try await ScriptedServer.with { _ in
            [.text(Self.responses[0])]
        } _: { server in
            let proxy = try await FaultProxy.start(to: server.port) { _ in
                FaultPlan(toClient: [InjectedFault(.halfClose, after: 45)])
            }
            let client = HTTPClient(configuration: plain)
            let error = try await transportError {
                _ = try await client.collect(.plain(port: proxy.port), upTo: 99)
            }
            #expect(error.code == .connectionClosed)
            try await proxy.stop()
        }
    }
}
