import HoldfastTransportTestSupport
import HoldfastWebSocket
import NIOCore
import Synchronization
import Testing

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Tests the client of Python's `websockets` against the server role, over TLS verified by OpenSSL.
@Suite(.enabled(if: PythonWebSockets.isInstalled, .init(rawValue: PythonWebSockets.missing)))
struct PythonClientTests {
    /// The output of the client.
    private struct Report: Decodable {
        struct Seen: Decodable {
            var subprotocol: String?
            var extensions: [String]
            var texts: [Bool]
            var bytes: [Bool]
            var fragments: [Bool]
            var pong: Bool
        }

        var seen: Seen
        var code: Int
        var reason: String

        init(from decoder: any Decoder) throws {
            var list = try decoder.unkeyedContainer()
            seen = try list.decode(Seen.self)
            code = try list.decode(Int.self)
            reason = try list.decode(String.self)
        }
    }

    /// Runs the client with a path of a server with these options. Returns how both ends saw the close.
    private func run(
        _ path: String, _ options: WebSocketServerOptions, deflate: Bool = false
    ) async throws -> (report: Report, closure: WebSocketClosure?) {
        try await PeerFolder.with { world in
            let closures = AsyncStream.makeStream(of: WebSocketClosure?.self)
            let server = try await WebSocketTestServer.start(
                identity: world.leaf, options: options,
                decide: { request, loop in
                    let isKnown = request.subprotocols.contains("chat.v1")
                    return loop.makeSucceededFuture(.accept(subprotocol: isKnown ? "chat.v1" : nil))
                }
            ) { connection, _ in
                do {
                    for try await message in connection.messages {
                        if message == .text("close") {
                            await connection.close(.serviceRestart, reason: "zurück um 5")
                        } else {
                            try await connection.send(message)
                        }
                    }
                } catch {
                    Issue.record("\(error)")
                }
                closures.continuation.yield(connection.closure)
            }
            let result = try await PeerProgram.python3.run([
                try world.write("client.py", PythonWebSockets.client),
                "wss://\(world.host):\(server.port)\(path)", "127.0.0.1", "\(server.port)", world.path("root.pem"),
                deflate ? "deflate" : "",
            ])
            #expect(result.status == 0)
            var ends = closures.stream.makeAsyncIterator()
            let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
            let closure = await ends.next()
            await server.stop()
            return (report, closure ?? nil)
        }
    }

    /// The granted compression: none, the default, and full context takeover, each also with short fragments.
    static let grants: [WebSocketDeflate?] = [
        nil, WebSocketDeflate(minimumSize: 1),
        WebSocketDeflate(sendingContextTakeover: true, receivingContextTakeover: true, minimumSize: 1),
    ]

    @Test(arguments: grants, [nil, 1_000])
    func echoesMessages(grant: WebSocketDeflate?, fragmentSize: Int?) async throws {
        let options = WebSocketServerOptions(keepAlive: nil, fragmentSize: fragmentSize, deflate: grant)
        let (report, closure) = try await run("/echo", options, deflate: true)
        #expect(report.seen.subprotocol == "chat.v1")
        #expect(report.seen.extensions == (grant == nil ? [] : ["permessage-deflate"]))
        #expect(report.seen.texts == Array(repeating: true, count: 8))
        #expect(report.seen.bytes == Array(repeating: true, count: 8))
        #expect(report.seen.fragments == [true, true] && report.seen.pong)
        #expect(report.code == 4321)
        let code = try #require(WebSocketCloseCode(rawValue: 4321))
        #expect(
            closure == WebSocketClosure(code: code, reason: "tschüss", initiator: .remote, isClean: true))
    }

    @Test func deliversTheServersClose() async throws {
        let (report, closure) = try await run("/closing", WebSocketServerOptions(keepAlive: nil))
        #expect(report.code == 1012 && report.reason == "zurück um 5")
        #expect(closure?.code == .serviceRestart && closure?.initiator == .local && closure?.isClean == true)
    }
}
