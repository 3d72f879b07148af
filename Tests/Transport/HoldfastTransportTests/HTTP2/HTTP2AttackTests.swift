import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// Attacks by an HTTP/2 server, with one test for each kind of data that it can send.
@Suite(.timeLimit(.minutes(1))) struct HTTP2AttackTests {
    /// A malformed response fails with its defect, and ends only its stream: the next request uses the same
    /// connection, and gets its own response.
    @Test(arguments: HTTP2AmbiguousResponse.all)
    func aMalformedResponseIsRefused(response: HTTP2AmbiguousResponse) async throws {
        try await FrameServer.with { _, stream in
            stream == 1 ? response.frames(stream) : FrameServer.ok(stream)
        } _: { server in
            let client = FrameServer.client()
            let error = try await transportError {
                let answer = try await client.collect(.plain(response.method, port: server.port), upTo: 99)
                Issue.record("accepted: \(answer.response) \(answer.text)")
            }
            #expect(error.code == .malformedResponse)
            #expect(error.defect == response.defect)
            #expect(try await client.collect(.plain(port: server.port), upTo: 99).text == "ok")
            #expect(server.connectionCount == 1)
            // RFC 9113, 8.1.1: the client resets the stream. The library uses a different error code for data before
            // the head.
            let reset = server.frames.first { $0.isReset && $0.stream == 1 }
            #expect(reset?.payload == [0, 0, 0, 1] || response.defect == .frame && reset?.payload == [0, 0, 0, 5])
        }
    }

    /// A violation of the connection's rules, which ends the connection.
    struct BrokenRule: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var defect = ResponseDefect.frame
        var frames: @Sendable (UInt32) -> [RawHTTP2Frame]

        init(_ name: String, _ defect: ResponseDefect = .frame, frames: @escaping @Sendable (UInt32) -> [RawHTTP2Frame])
        {
            self.testDescription = name
            self.defect = defect
            self.frames = frames
        }

        static let all = [
            Self("PUSH_PROMISE", .push) {
                [
                    RawHTTP2Frame(
                        5, flags: 4, stream: $0, payload: [0, 0, 0, 2] + RawHTTP2Frame.block([(":method", "GET")]))
                ]
            },
            Self("CONTINUATION without HEADERS") { [RawHTTP2Frame(9, flags: 4, stream: $0)] },
            Self("a head that another frame interrupts") { [RawHTTP2Frame(1, stream: $0), .ping] },
            Self("a head that another stream interrupts") {
                [RawHTTP2Frame(1, stream: $0), RawHTTP2Frame(9, flags: 4, stream: $0 + 2)]
            },
            Self("HEADERS on a stream of the server") { _ in [.head(2, [(":status", "200")])] },
            Self("HEADERS on an unopened stream") { _ in [.head(99, [(":status", "200")])] },
            Self("HEADERS on stream 0") { _ in [.head(0, [(":status", "200")])] },
            Self("DATA on stream 0") { _ in [.data(0, [1])] },
            Self("DATA on an unopened stream") { _ in [.data(99, [1])] },
            Self("RST_STREAM on stream 0") { _ in [.reset(0, 0)] },
            Self("RST_STREAM of a wrong size") { [RawHTTP2Frame(3, stream: $0, payload: [0])] },
            Self("SETTINGS on a stream") { [RawHTTP2Frame(4, stream: $0)] },
            Self("SETTINGS of a wrong size") { _ in [RawHTTP2Frame(4, payload: [0, 1, 2])] },
            Self("a SETTINGS acknowledgement with content") { _ in
                [RawHTTP2Frame(4, flags: 1, payload: [0, 1, 0, 0, 0, 0])]
            },
            Self("an unrequested SETTINGS acknowledgement") { _ in [.settingsAck] },
            Self("a window beyond 2^31 - 1 by SETTINGS") { _ in [.settings([(4, 0x8000_0000)])] },
            Self("an invalid frame size") { _ in [.settings([(5, 1)])] },
            Self("ENABLE_PUSH 2") { _ in [.settings([(2, 2)])] },
            Self("PING on a stream") { [RawHTTP2Frame(6, stream: $0, payload: Array(repeating: 0, count: 8))] },
            Self("PING of a wrong size") { _ in [RawHTTP2Frame(6, payload: [1])] },
            Self("WINDOW_UPDATE of a wrong size") { _ in [RawHTTP2Frame(8, payload: [1])] },
            Self("WINDOW_UPDATE by nothing") { _ in [.window(0, by: 0)] },
            Self("a window of the connection beyond 2^31 - 1") { _ in [.window(0, by: 0x7FFF_FFFF)] },
            Self("GOAWAY on a stream") { [RawHTTP2Frame(7, stream: $0, payload: Array(repeating: 0, count: 8))] },
            Self("GOAWAY of a wrong size") { _ in [RawHTTP2Frame(7, payload: [0])] },
            Self("a frame that is too large") { [.data($0, Array(repeating: 0, count: 16_385))] },
            Self("padding that is longer than the frame") {
                [RawHTTP2Frame(0, flags: 8, stream: $0, payload: [9, 1])]
            },
            Self("padding without a length") { [RawHTTP2Frame(0, flags: 8, stream: $0)] },
            Self("an index of zero") { [RawHTTP2Frame(1, flags: 4, stream: $0, payload: [0x80])] },
            Self("an index without an entry") {
                [RawHTTP2Frame(1, flags: 4, stream: $0, payload: [0xFF, 0xFF, 0x7F])]
            },
            Self("an endless index") {
                [RawHTTP2Frame(1, flags: 4, stream: $0, payload: [0xFF] + Array(repeating: 0xFF, count: 20))]
            },
            Self("a string that is longer than its block") {
                [RawHTTP2Frame(1, flags: 4, stream: $0, payload: [0, 127, 5, 65])]
            },
            Self("a table larger than agreed") {
                [RawHTTP2Frame(1, flags: 4, stream: $0, payload: [0x3F, 0xFF, 0xFF, 0x7F])]
            },
            Self("an invalid Huffman code") {
                [RawHTTP2Frame(1, flags: 4, stream: $0, payload: [0, 1, 120, 0x84, 255, 255, 255, 255])]
            },
            Self("a stream that depends on itself") {
                [RawHTTP2Frame(2, stream: $0, payload: [0, 0, 0, UInt8($0), 0])]
            },
            Self("more than the window") { stream in
                [.head(stream, [(":status", "200")])]
                    + (0..<70).map { _ in .data(stream + 2, Array(repeating: 0, count: 16_384)) }
            },
        ]
    }

    @Test(arguments: BrokenRule.all)
    func aProtocolViolationEndsTheConnection(rule: BrokenRule) async throws {
        try await FrameServer.with { connection, stream in
            connection == 0 ? rule.frames(stream) : FrameServer.ok(stream)
        } _: { server in
            let client = FrameServer.client()
            let error = try await transportError {
                _ = try await client.collect(.plain(port: server.port), upTo: 99)
            }
            #expect(error.code == .malformedResponse, "\(error)")
            #expect(error.defect == rule.defect)
            await server.waitForClosed(1)
            #expect(try await client.collect(.plain(port: server.port), upTo: 99).text == "ok")
            #expect(server.connectionCount == 2)
        }
    }

    /// A server of HTTP/1.1 or a different protocol, although the client assumed HTTP/2.
    @Test(arguments: ["HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n", "220 mail.example.com ESMTP\r\n\r\n"])
    func anotherProtocolIsRefused(text: String) async throws {
        var settings = ScriptedServer.Settings()
        settings.readsRequests = false
        settings.onConnect = [.text(text)]
        try await ScriptedServer.with(settings) { server in
            let client = FrameServer.client()
            let error = try await transportError {
                _ = try await client.collect(.plain(.post, port: server.port), upTo: 99)
            }
            #expect(error.code == .malformedResponse || error.code == .headTooLarge, "\(error)")
        }
    }

    // MARK: Floods

    struct Flood: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var code = TransportError.Code.tooManyFrames
        var count = 2000
        var frames: @Sendable (UInt32) -> [RawHTTP2Frame]

        init(
            _ name: String, _ count: Int = 2000, _ code: TransportError.Code = .tooManyFrames,
            frames: @escaping @Sendable (UInt32) -> [RawHTTP2Frame]
        ) {
            self.testDescription = name
            self.count = count
            self.code = code
            self.frames = frames
        }

        static let all = [
            Self("PING") { _ in [.ping] },
            Self("SETTINGS") { _ in [.settings([(1, 4096)])] },
            Self("WINDOW_UPDATE of the connection") { _ in [.window(0, by: 1)] },
            Self("WINDOW_UPDATE of the stream") { [.window($0, by: 1)] },
            Self("WINDOW_UPDATE of closed streams") {
                [.head($0, [(":status", "100")])] + [.window($0, by: 1), .window($0, by: 1)]
            },
            Self("PRIORITY") { _ in [RawHTTP2Frame(2, stream: 77, payload: [0, 0, 0, 0, 0])] },
            Self("unknown frames") { _ in [RawHTTP2Frame(200)] },
            Self("empty DATA", 200) { [.data($0)] },
            Self("CONTINUATION", 40) { [RawHTTP2Frame(9, stream: $0, payload: [])] },
        ]
    }

    /// Each kind of frame that carries no part of a response is limited.
    @Test(arguments: Flood.all)
    func aFloodEndsTheConnection(flood: Flood) async throws {
        try await FrameServer.with { _, stream in
            let start =
                switch flood.testDescription {
                case "empty DATA": [RawHTTP2Frame.head(stream, [(":status", "200")])]
                case "CONTINUATION": [RawHTTP2Frame(1, stream: stream)]
                default: [] as [RawHTTP2Frame]
                }
            return start + Array(repeating: flood.frames(stream), count: flood.count).flatMap(\.self)
        } _: { server in
            let client = FrameServer.client { $0.limits.informationalResponses = .max }
            let error = try await transportError {
                _ = try await client.collect(.plain(.post, port: server.port), upTo: 99)
            }
            #expect(error.code == flood.code, "\(error)")
            await server.waitForClosed(1)
        }
    }

    /// A head beyond the limit ends its stream; a head far beyond it ends the connection.
    @Test(arguments: [(301, 1), (400, 1), (9000, 2), (70_000, 2)])
    func aHeadThatIsTooLarge(size: Int, connections: Int) async throws {
        try await FrameServer.with { _, stream in
            guard stream == 1 else { return FrameServer.ok(stream) }
            let block = RawHTTP2Frame.block([(":status", "200"), ("x", String(repeating: "x", count: size))])
            let cut = min(block.count, 16_000)
            var frames = [
                RawHTTP2Frame(1, flags: cut == block.count ? 4 : 0, stream: stream, payload: Array(block[..<cut]))
            ]
            for start in stride(from: cut, to: block.count, by: 16_000) {
                let end = min(start + 16_000, block.count)
                frames.append(
                    RawHTTP2Frame(
                        9, flags: end == block.count ? 4 : 0, stream: stream, payload: Array(block[start..<end])))
            }
            return frames
        } _: { server in
            let client = FrameServer.client {
                $0.limits.headBytes = 300
                $0.limits.headerFields = 4
            }
            let error = try await transportError {
                _ = try await client.collect(.plain(port: server.port), upTo: 99)
            }
            #expect(error.code == .headTooLarge || connections == 2 && error.defect == .frame, "\(error)")
        }
    }
}
