import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Synchronization
import Testing

/// Faults below TLS, from the first byte of the handshake to the last byte of the response. The caller gets an error
/// or the complete response, and never a byte that the server did not send.
@Suite struct TLSFaultTests {
    /// How the end of the server's body is marked.
    enum Framing: String, CaseIterable, Sendable {
        case sized, chunked, untilClose
    }

    private static let parts = (0..<4).map { part in (0..<150).map { UInt8((part * 31 + $0 * 7) & 0xFF) } }
    private static let body = parts.flatMap(\.self)

    /// In several records, so that a fault can be between them.
    private static func response(_ framing: Framing) -> [ScriptedAction] {
        switch framing {
        case .sized:
            return [.text("HTTP/1.1 200 OK\nContent-Length: \(body.count)\n\n")] + parts.map { .send($0) }
        case .untilClose:
            return [.text("HTTP/1.1 200 OK\n\n")] + parts.map { .send($0) } + [.close]
        case .chunked:
            let chunks = parts.map { part in
                ScriptedAction.send(Array("\(String(part.count, radix: 16))\r\n".utf8) + part + [0x0D, 0x0A])
            }
            return [.text("HTTP/1.1 200 OK\nTransfer-Encoding: chunked\n\n")] + chunks + [.text("0\nX-T: 1\n\n")]
        }
    }

    private enum Outcome: Equatable {
        case whole
        case failed(TransportError.Code, TransportError.Phase)
    }

    /// Sends a request through a proxy with this plan, and checks the rules that hold for every fault.
    private func outcome(
        _ client: HTTPClient, _ server: ScriptedServer, _ framing: Framing, _ plan: FaultPlan, _ name: String,
        _ options: RequestOptions = RequestOptions()
    ) async throws -> Outcome {
        let before = server.requests.count
        return try await FaultProxy.with(to: server.port, plan: { _ in plan }) { proxy in
            let received = Mutex<[UInt8]>([])
            do {
                let request = HTTPRequest(.post, port: proxy.port, path: "/\(framing.rawValue)")
                try await client.execute(request, options: options) { response, body in
                    #expect(response.status == .ok)
                    while let part = try await body.next() { received.withLock { $0 += part } }
                }
                await client.untilAllAreClosed()
                #expect(received.withLock { $0 == Self.body }, "\(name): the body is different from the server's")
                return .whole
            } catch let error as TransportError {
                await client.untilAllAreClosed()
                #expect(Self.body.starts(with: received.withLock(\.self)), "\(name): bytes not sent by the server")
                #expect(error.defect == nil, "\(name): \(error)")
                if error.code == .tlsHandshakeFailed || error.code == .trustRefused {
                    #expect(error.phase == .tls)
                    #expect(server.requests.count == before, "\(name): a request during the handshake")
                }
                #expect(server.requests.count <= before + 1, "\(name): a POST was sent twice")
                return .failed(error.code, error.phase)
            }
        }
    }

    private func withServer(
        _ version: ServerTLS.Version, _ body: @Sendable (HTTPClient, ScriptedServer) async throws -> Void
    ) async throws {
        let world = try PinnedWorld()
        var tls = ServerTLS(world.leaf)
        tls.maximumVersion = version
        var configuration = world.configuration()
        configuration.keepAlive = .zero
        let connections = configuration.limits.connections
        let client = HTTPClient(configuration: configuration)
        try await ScriptedServer.with(tls: tls) { request in
            Framing(rawValue: String(request.target.dropFirst())).map(Self.response) ?? [.close]
        } _: { server in
            try await body(client, server)
            await client.shutdown()
            #expect(client.live.isEmpty && client.freeConnections == connections)
        }
    }

    /// A connection that ends without TLS's `close_notify` does not end a body. The error names the phase of the cut.
    @Test(arguments: Framing.allCases, [ServerTLS.Version.tls12, .tls13])
    func aCutIsNeverTheEndOfABody(framing: Framing, version: ServerTLS.Version) async throws {
        try await withServer(version) { client, server in
            let kinds: [(String, InjectedFault.Kind)] = [("close", .close), ("reset", .reset), ("half", .halfClose)]
            var phases: [TransportError.Phase] = []
            var wholeAt: Int?
            for step in 0..<400 where wholeAt == nil {
                let (name, kind) = kinds[step % kinds.count]
                let offset = 7 + step * 31
                let plan = FaultPlan(toClient: [InjectedFault(kind, after: offset)])
                switch try await outcome(client, server, framing, plan, "\(name) at \(offset)") {
                case .whole: wholeAt = offset
                case .failed(let code, let phase):
                    #expect([.tlsHandshakeFailed, .connectionClosed].contains(code), "\(name) at \(offset): \(code)")
                    // Only a half-closed connection reliably delivers the bytes that were sent before.
                    if name == "half" { phases.append(phase) }
                }
            }
            // The server sends more than its body, and each phase has been cut.
            #expect(try #require(wholeAt) > Self.body.count + 500)
            #expect(phases == phases.sorted { Self.rank($0) < Self.rank($1) }, "\(phases)")
            #expect(Set(phases).isSuperset(of: [.tls, .receiving]))
        }
    }

    private static func rank(_ phase: TransportError.Phase) -> Int {
        [.connecting, .tls, .sending, .awaitingResponse, .receiving].firstIndex(of: phase) ?? -1
    }

    /// A change, repetition or loss of bytes in transfer is detected in the affected record.
    @Test(arguments: [ServerTLS.Version.tls12, .tls13], [true, false])
    func aChangeIsNeverDelivered(version: ServerTLS.Version, toClient: Bool) async throws {
        try await withServer(version) { client, server in
            let kinds: [(String, InjectedFault.Kind)] = [
                ("corrupt", .corrupt(0x01)), ("corrupt", .corrupt(0x80)), ("duplicate", .duplicate(5)),
                ("inject", .inject([0x17, 3, 3, 0, 1, 0])),
            ]
            // If the length of a record has grown, the client may wait for more bytes.
            let options = RequestOptions(idleTimeout: .seconds(2))
            var (reached, failures) = (0, 0)
            for (number, offset) in stride(from: 0, to: 2_000, by: toClient ? 43 : 13).enumerated() {
                let (name, kind) = kinds[number % kinds.count]
                let done = Trigger()
                let faults = [InjectedFault(kind, after: offset), InjectedFault(.signal(done), after: offset + 1)]
                let plan = FaultPlan(toClient: toClient ? faults : [], toServer: toClient ? [] : faults)
                let outcome = try await outcome(
                    client, server, .chunked, plan, "\(name) at \(offset)", options)
                if outcome == .whole, !done.hasFired { break }
                reached += 1
                if outcome != .whole { failures += 1 }
            }
            // A few bytes have no meaning: the version in a record's header (RFC 8446, 5.1).
            #expect(reached >= 20)
            #expect(failures >= reached - 3, "\(failures) of \(reached)")
        }
    }
}
