import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@Suite(.timeLimit(.minutes(1)))
struct MultiplexTests {
    @Test func isSpokenWhereTheServerChoosesIt() async throws {
        let world = try PinnedWorld()
        let tls = ServerTLS(world.leaf)
        try await ScriptedServer.with(tls: tls, version: .http2) { _ in
            [.respond("hello")]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            let answer = try await client.collect(HTTPRequest(port: server.port, path: "/x?y"), upTo: 100)
            #expect(answer.text == "hello")
            #expect(answer.facts.applicationProtocol == "h2")
            #expect(server.requests.first?.target == "/x?y")
            #expect(server.requests.first?.field("host") == "\(PinnedWorld.host):\(server.port)")
            await client.shutdown()
        }
    }

    @Test func manyRequestsShareOneConnection() async throws {
        let world = try PinnedWorld()
        let tls = ServerTLS(world.leaf)
        try await ScriptedServer.with(tls: tls, version: .http2) {
            [.respond($0.target)]
        } _: { server in
            let client = HTTPClient(configuration: world.configuration())
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 0..<50 {
                    group.addTask {
                        let answer = try await client.collect(
                            HTTPRequest(port: server.port, path: "/\(number)"), upTo: 100)
                        #expect(answer.text == "/\(number)")
                    }
                }
                try await group.waitForAll()
            }
            #expect(server.connectionCount == 1)
            await client.shutdown()
        }
    }
}
