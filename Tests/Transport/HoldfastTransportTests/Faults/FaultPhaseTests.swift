import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// A fault in each phase of an exchange without TLS: the error names the phase, the connection is closed, nothing
/// leaks, and nothing is sent twice.
@Suite struct FaultPhaseTests {
    /// A fault and its expected result.
    struct Row: Sendable, CustomTestStringConvertible {
        var name: String
        var plan: FaultPlan
        var code: TransportError.Code
        var phase: TransportError.Phase
        var defect: ResponseDefect?
        var testDescription: String { name }
    }

    private static let head = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n"
    private static let response = head + "5;a=b\r\nhello\r\n0\r\nX-Sum: 1\r\n\r\n"
    /// The first byte of each part of the response.
    private static let places: [(name: String, offset: Int, phase: TransportError.Phase)] = [
        ("status line", 5, .awaitingResponse),
        ("response head", 30, .awaitingResponse),
        ("end of the head", head.utf8.count - 1, .awaitingResponse),
        ("first chunk's size", head.utf8.count, .receiving),
        ("chunk extension", head.utf8.count + 3, .receiving),
        ("chunk data", head.utf8.count + 9, .receiving),
        ("last chunk", head.utf8.count + 14, .receiving),
        ("trailers", head.utf8.count + 20, .receiving),
        ("last byte", response.utf8.count - 1, .receiving),
    ]

    static let cuts: [Row] = places.flatMap { place in
        [("closed", InjectedFault.Kind.close), ("reset", .reset), ("half-closed", .halfClose)].map { name, kind in
            Row(
                name: "\(name) in the \(place.name)",
                plan: FaultPlan(toClient: [InjectedFault(kind, after: place.offset)]),
                code: .connectionClosed, phase: place.phase)
        }
    }

    private static func changed(
        _ name: String, _ kind: InjectedFault.Kind, after offset: Int, _ defect: ResponseDefect,
        _ phase: TransportError.Phase
    ) -> Row {
        Row(
            name: name, plan: FaultPlan(toClient: [InjectedFault(kind, after: offset)]), code: .malformedResponse,
            phase: phase, defect: defect)
    }

    private static let body = head.utf8.count
    static let changes: [Row] = [
        changed("a flipped bit in the version", .corrupt(0x20), after: 0, .statusLine, .awaitingResponse),
        changed("a flipped bit in the status", .corrupt(0x40), after: 10, .statusLine, .awaitingResponse),
        changed("a status line that comes twice", .duplicate(17), after: 0, .fieldName, .awaitingResponse),
        changed("a head that comes twice", .duplicate(body), after: 0, .chunkSize, .receiving),
        changed("a lost line feed", .drop(1), after: 16, .bareCarriageReturn, .awaitingResponse),
        // Not before the first byte: garbage that arrives before the request makes the connection unusable.
        changed("garbage in the version", .inject([0x16, 3, 1]), after: 1, .statusLine, .awaitingResponse),
        changed("garbage in a field", .inject([0]), after: 40, .controlCharacter, .awaitingResponse),
        changed("a flipped bit in a chunk's size", .corrupt(0x40), after: body, .chunkSize, .receiving),
        changed("a smaller chunk", .corrupt(0x01), after: body, .chunkEnd, .receiving),
        changed("a lost byte of a chunk", .drop(1), after: body + 8, .chunkEnd, .receiving),
        changed("a repeated byte of a chunk", .duplicate(1), after: body + 8, .chunkEnd, .receiving),
        changed("garbage among the trailers", .inject([0x0A]), after: body + 20, .missingColon, .receiving),
    ]

    static let requests: [Row] = [
        ("closed in the request head", InjectedFault.Kind.close, 20), ("reset in the request head", .reset, 20),
        ("half-closed in the request head", .halfClose, 20), ("closed in the request body", .close, 150),
        ("reset in the request body", .reset, 150), ("half-closed in the request body", .halfClose, 150),
        ("garbage in the request line", .inject([0, 0, 0]), 2),
    ].map { name, kind, offset in
        // The request is so small that the kernel accepts it before the fault.
        Row(
            name: name, plan: FaultPlan(toServer: [InjectedFault(kind, after: offset)]), code: .connectionClosed,
            phase: .awaitingResponse)
    }

    @Test(arguments: cuts + changes + requests)
    func theExchangeFails(row: Row) async throws {
        try await ScriptedServer.with { _ in
            [.text(Self.response)]
        } _: { server in
            try await FaultProxy.with(to: server.port, plan: { $0 == 0 ? row.plan : .none }) { proxy in
                let client = HTTPClient(configuration: .forPlainServers)
                let free = client.freeConnections
                let error = try await transportError {
                    let body = HTTPBody.bytes(Array(repeating: 0x61, count: 200))
                    _ = try await client.collect(.plain(.post, port: proxy.port), body: body, upTo: 99)
                }
                #expect(error.code == row.code, "\(error)")
                #expect(error.phase == row.phase, "\(error)")
                #expect(error.defect == row.defect)
                #expect(proxy.connectionCount == 1, "a POST was sent twice")
                await server.waitForClosed(1)
                await client.untilAllAreClosed()
                // The next request succeeds, on a new connection.
                let answer = try await client.collect(.plain(.post, port: proxy.port), upTo: 99)
                #expect(answer.text == "hello")
                #expect(answer.trailers?.count == 1)
                #expect(proxy.connectionCount == 2)
                await client.shutdown()
                #expect(client.live.isEmpty && client.waitingCount == 0 && client.freeConnections == free)
            }
        }
    }

    /// An upload that is cut during sending fails in that phase, and its writer is stopped.
    @Test(arguments: Wire.allCases, [true, false])
    func anUploadThatIsCut(wire: Wire, resets: Bool) async throws {
        let world = try PinnedWorld()
        try await ScriptedServer.with(tls: wire.server(world), version: wire.version) { _ in
            [.respond("never")]
        } _: { server in
            let plan = FaultPlan(toServer: [InjectedFault(resets ? .reset : .close, after: 300_000)])
            try await FaultProxy.with(to: server.port, plan: { _ in plan }) { proxy in
                let client = HTTPClient(configuration: wire.configuration(world))
                let error = try await transportError {
                    let body = HTTPBody.stream(length: nil) { writer in
                        // The body is endless: only the cut can stop it.
                        while true { try await writer.write(Array(repeating: 1, count: 60_000)) }
                    }
                    _ = try await client.collect(wire.request(.put, port: proxy.port), body: body, upTo: 9)
                }
                #expect(error.code == .connectionClosed, "\(error)")
                #expect(error.phase == .sending, "\(error)")
                #expect(proxy.connectionCount == 1)
                await client.untilAllAreClosed()
                await server.waitForClosed(1)
                #expect(server.requests.isEmpty)
            }
        }
    }

    /// After the first byte of the response the server has processed the request. Nothing is sent again, wherever the
    /// response ends.
    @Test(arguments: Wire.allCases, [HTTPRequest.Method.get, .post])
    func nothingIsRetriedAfterTheFirstByte(wire: Wire, method: HTTPRequest.Method) async throws {
        let world = try PinnedWorld()
        let bytes = Array(Self.response.utf8)
        let cut = Trigger()
        cut.fire()
        try await ScriptedServer.with(tls: wire.server(world), version: wire.version) { request in
            guard request.number > 0, let count = Int(request.target.dropFirst()) else { return [.respond("x")] }
            return [.send(Array(bytes.prefix(count))), .wait(cut), .cut]
        } _: { server in
            let client = HTTPClient(configuration: wire.configuration(world))
            var requests = 0
            // A head in HTTP/2 is one frame, which arrives completely or not at all.
            let first = wire == .http2 ? Self.head.utf8.count : 1
            for count in stride(from: first, to: bytes.count, by: 4) {
                _ = try await client.collect(wire.request(port: server.port), upTo: 9)
                let error = try await transportError {
                    let request = wire.request(method, port: server.port, path: "/\(count)")
                    _ = try await client.collect(request, upTo: 99)
                }
                #expect(error.code == .connectionClosed, "\(error)")
                requests += 2
                #expect(server.requests.count == requests)
            }
            await client.untilAllAreClosed()
        }
    }
}
