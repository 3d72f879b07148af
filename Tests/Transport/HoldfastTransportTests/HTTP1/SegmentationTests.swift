import HTTPTypes
import HoldfastTransportTestSupport
import NIOCore
import NIOEmbedded
import Testing

@testable import HoldfastTransport

/// The segmentation of an exchange's bytes does not change what is read, and defects are found at the same byte.
@Suite struct SegmentationTests {
    /// A recorded exchange, valid or invalid.
    struct Exchange: Sendable, CustomTestStringConvertible {
        var name: String
        var method = HTTPRequest.Method.get
        var bytes: [UInt8]
        var limits = TransportLimits()
        var closes = false
        var testDescription: String { name }
    }

    static let sound: [Exchange] = ResponseParserTests.recorded.enumerated().map { number, recorded in
        Exchange(
            name: "recorded \(number)", method: recorded.method, bytes: Array(recorded.bytes.utf8),
            closes: recorded.closes)
    }

    static let more: [Exchange] = [
        Exchange(name: "a body and the beginning of another response", bytes: Array(garbage(length: 2).utf8)),
        Exchange(
            name: "a line break after a body", bytes: Array("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nx\r\n".utf8)),
        Exchange(name: "a byte after the last chunk", bytes: Array((chunked + "0\r\n\r\n\0").utf8)),
        Exchange(name: "a byte after a 304", bytes: Array("HTTP/1.1 304 Same\r\nContent-Length: 1\r\n\r\nx".utf8)),
        Exchange(name: "a body after a HEAD", method: .head, bytes: Array(garbage(length: 9).utf8)),
        Exchange(
            name: "until the end", bytes: Array("HTTP/1.0 200 OK\r\n\r\nHTTP/1.1 200 OK\r\n\r\n".utf8), closes: true),
        Exchange(
            name: "three informational responses",
            bytes: Array(
                "HTTP/1.1 100 \r\n\r\nHTTP/1.1 102\r\n\r\nHTTP/1.1 103 E\r\nA: b\r\n\r\nHTTP/1.1 200\r\n\r\n".utf8),
            closes: true),
        limited("a large head", "HTTP/1.1 200 OK\r\nX: yyyyyyyyyyyyyyyyyyyyyy\r\n\r\n") { $0.headBytes = 40 },
        limited("a head that is one byte too large", "HTTP/1.1 200 OK\r\nX: yyyyyyyy\r\n\r\n") { $0.headBytes = 31 },
        limited("too many fields", "HTTP/1.1 200 OK\r\nA: 1\r\nB: 2\r\nC: 3\r\nD: 4\r\n\r\n") { $0.headerFields = 3 },
        limited("too many trailers", chunked + "0\r\nA: 1\r\nB: 2\r\nC: 3\r\n\r\n") { $0.headerFields = 2 },
        limited("a trailer section that is too large", chunked + "0\r\nA: 1111111111111111111111111111\r\n\r\n") {
            $0.headBytes = 47
        },
    ]

    private static let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n"

    private static func garbage(length: Int) -> String {
        "HTTP/1.1 200 OK\r\nContent-Length: \(length)\r\n\r\nokHTTP/1.1 500 No\r\n\r\n"
    }

    private static func limited(
        _ name: String, _ bytes: String, _ change: (inout TransportLimits) -> Void
    ) -> Exchange {
        var exchange = Exchange(name: name, bytes: Array(bytes.utf8))
        change(&exchange.limits)
        return exchange
    }

    static let ambiguous: [Exchange] = AmbiguousResponse.all.map {
        Exchange(name: $0.name, bytes: Array($0.bytes.utf8))
    }

    /// A gzip body in chunks. Some of its bytes look like line breaks and digits.
    static let coded: [Exchange] = {
        let text = Array(String(repeating: "0\r\n\r\n1\r\n", count: 20).utf8)
        let body = (try? Compressed.gzip(text)) ?? []
        let head = Array("HTTP/1.1 200 OK\r\nContent-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n\r\n".utf8)
        let (first, second) = (body.prefix(10), body.dropFirst(10))
        func chunk(_ part: ArraySlice<UInt8>) -> [UInt8] {
            Array("\(String(part.count, radix: 16));a=\"\u{E9}\"\r\n".utf8) + part + [0x0D, 0x0A]
        }
        return [Exchange(name: "gzip in chunks", bytes: head + chunk(first) + chunk(second) + Array("0\r\n\r\n".utf8))]
    }()

    /// A parser of one exchange, and what it has read, with body parts joined.
    private struct Reader: Hashable {
        enum Item: Hashable {
            case informational(ResponseHead)
            case head(ResponseHead, ResponseFraming)
            case body([UInt8])
            case end(HTTPFields?)
            case failed(TransportError.Code, ResponseDefect?)
        }

        var parser: ResponseParser
        var items: [Item] = []

        init(_ exchange: Exchange) {
            parser = ResponseParser(limits: exchange.limits)
            parser.expect(exchange.method)
        }

        var hasFailed: Bool {
            if case .failed? = items.last { true } else { false }
        }

        mutating func take(_ piece: ArraySlice<UInt8>) {
            var buffer = ByteBuffer(bytes: piece)
            do throws(TransportError) {
                while let event = try parser.next(&buffer) { note(event) }
            } catch {
                parser.giveUp()
                items.append(.failed(error.code, error.defect))
            }
        }

        private mutating func note(_ event: ResponseParser.Event) {
            switch event {
            case .informational(let head): items.append(.informational(head))
            case .head(let head, let framing): items.append(.head(head, framing))
            case .body(let part):
                if case .body(let bytes)? = items.last {
                    items[items.count - 1] = .body(bytes + Array(buffer: part))
                } else {
                    items.append(.body(Array(buffer: part)))
                }
            case .end(let trailers): items.append(.end(trailers))
            }
        }
    }

    /// For every two offsets in the exchange: a parser that reads up to the first, and then up to the second in one
    /// piece, must have the same result and state as a parser that reads byte by byte. By induction every segmentation
    /// has the same result.
    @Test(arguments: sound + more + ambiguous + coded)
    func everySegmentation(exchange: Exchange) {
        let bytes = exchange.bytes
        var readers = [Reader(exchange)]
        for byte in bytes {
            var next = readers[readers.count - 1]
            next.take([byte])
            readers.append(next)
            if next.hasFailed { break }
        }
        let last = readers.count - 1
        // Long exchanges have long uniform runs: the test uses pieces of up to 60 bytes, and the complete rest.
        let longest = bytes.count <= 160 ? bytes.count : 60
        for start in stride(from: 0, to: last, by: bytes.count > 2_000 ? 997 : 1) {
            for end in Set((start + 1)...min(last, start + longest)).union([last, bytes.count]) {
                var reader = readers[start]
                reader.take(bytes[start..<end])
                let expected = readers[min(end, last)]
                if reader != expected {
                    Issue.record("The bytes \(start) to \(end): \(reader.items), not \(expected.items)")
                    return
                }
            }
        }
        let reader = readers[last]
        var parser = reader.parser
        #expect(exchange.closes == parser.connectionEnded())
    }

    /// Shows that the comparison above can fail: different bytes have different results.
    @Test func theComparisonCanFail() {
        let exchange = Self.sound[0]
        var (one, other) = (Reader(exchange), Reader(exchange))
        one.take(exchange.bytes.prefix(20))
        other.take(exchange.bytes.prefix(19))
        #expect(one != other)
        other.take(exchange.bytes[19..<20])
        #expect(one == other)
    }

    /// Sends every short exchange, cut at every byte, through the client. The sockets deliver exactly these pieces.
    @Test(
        arguments: (sound + more + ambiguous + coded).filter { $0.bytes.count <= 64 && $0.limits == TransportLimits() }
    )
    func everyCutThroughTheClient(exchange: Exchange) async throws {
        var whole = Reader(exchange)
        whole.take(exchange.bytes[...])
        let world = VirtualWorld()
        let client = world.client { $0.keepAlive = .zero }
        for cut in exchange.bytes.indices {
            async let outcome = Outcome(client, exchange.method)
            let channel = try await world.channel(cut)
            _ = try await channel.waitForOutboundWrite(as: ByteBuffer.self)
            for piece in [exchange.bytes[..<cut], exchange.bytes[cut...]] where !piece.isEmpty {
                // The first piece may already end the connection.
                _ = try? await channel.writeInbound(ByteBuffer(bytes: piece))
            }
            if exchange.closes { try? await channel.close() }
            #expect(await outcome == Outcome(whole.items, closes: exchange.closes), "cut after \(cut)")
        }
        // Runs the work that the event loop postponed.
        await world.loop.run()
        await client.untilAllAreClosed()
        #expect(client.live.isEmpty && client.freeConnections == TransportLimits().connections)
    }

    /// The result of an exchange for its caller.
    private enum Outcome: Equatable {
        case response(status: Int, body: [UInt8], trailers: HTTPFields?)
        case failed(TransportError.Code, ResponseDefect?)

        init(_ client: HTTPClient, _ method: HTTPRequest.Method) async {
            do {
                let answer = try await client.collect(.plain(method, port: 80), upTo: 9_999)
                self = .response(status: answer.response.status.code, body: answer.body, trailers: answer.trailers)
            } catch {
                let error = error as? TransportError
                self = .failed(error?.code ?? .invalidRequest, error?.defect)
            }
        }

        /// A complete response is delivered, whatever bytes follow it.
        init(_ items: [Reader.Item], closes: Bool) {
            var status = 0
            var body: [UInt8] = []
            for item in items {
                switch item {
                case .informational: break
                case .head(let head, _): status = head.status
                case .body(let part): body += part
                case .end(let trailers):
                    self = .response(status: status, body: body, trailers: trailers)
                    return
                case .failed(let code, let defect):
                    self = .failed(code, defect)
                    return
                }
            }
            self = closes ? .response(status: status, body: body, trailers: nil) : .failed(.connectionClosed, nil)
        }
    }
}
