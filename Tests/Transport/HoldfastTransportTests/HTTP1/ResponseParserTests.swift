import HTTPTypes
import HoldfastTestSupport
import NIOCore
import Testing

@testable import HoldfastTransport

/// Every segmentation of a response has the same result: the response, or a refusal with the same defect.
@Suite struct ResponseParserTests {
    /// What the parser read up to the end of one response, with body parts joined, and the bytes that were left.
    private struct Reading: Hashable {
        var informational: [Int] = []
        var head: ResponseHead?
        var body = ""
        var trailers: HTTPFields?
        var isComplete = false
        var rest = 0
    }

    private func read(
        _ pieces: [ArraySlice<UInt8>], _ method: HTTPRequest.Method = .get, closes: Bool = false
    ) throws -> Reading {
        var parser = ResponseParser(limits: TransportLimits())
        parser.expect(method)
        var reading = Reading()
        for piece in pieces {
            var buffer = ByteBuffer(bytes: piece)
            while !reading.isComplete, let event = try parser.next(&buffer) {
                switch event {
                case .informational(let head): reading.informational.append(head.status)
                case .head(let head, _): reading.head = head
                case .body(let part): reading.body += String(buffer: part)
                case .end(let trailers):
                    reading.trailers = trailers
                    reading.isComplete = true
                }
            }
            reading.rest += buffer.readableBytes
        }
        if closes { reading.isComplete = parser.connectionEnded() }
        return reading
    }

    private func defect(_ pieces: [ArraySlice<UInt8>]) throws -> ResponseDefect? {
        do {
            _ = try read(pieces)
            return nil
        } catch let error as TransportError {
            #expect(error.code == .malformedResponse)
            return error.defect
        }
    }

    @Test func informationalHeadsHaveALimitForEachRequest() throws {
        var limits = TransportLimits()
        limits.informationalResponses = 2
        var parser = ResponseParser(limits: limits)
        for _ in 0..<2 {
            parser.expect(.get)
            var buffer = ByteBuffer(string: String(repeating: "HTTP/1.1 103 Hints\r\n\r\n", count: 3))
            _ = try parser.next(&buffer)
            _ = try parser.next(&buffer)
            let error = #expect(throws: TransportError.self) { try parser.next(&buffer) }
            #expect(error?.code == .tooManyInformationalResponses)
        }
    }

    @Test(arguments: AmbiguousResponse.all)
    func anAmbiguousResponseIsRefused(response: AmbiguousResponse) throws {
        let bytes = Array(response.bytes.utf8)
        #expect(try defect([bytes[...]]) == response.defect)
        // The defect does not depend on the segmentation.
        #expect(try defect(bytes.indices.map { bytes[$0...$0] }) == response.defect)
    }

    /// Recorded responses of common servers, and their contents.
    static let recorded: [(method: HTTPRequest.Method, bytes: String, body: String, closes: Bool)] = [
        (
            .get,
            "HTTP/1.1 200 OK\r\nServer: nginx/1.24.0\r\nDate: Sat, 21 Nov 2026 05:00:00 GMT\r\n"
                + "Content-Type: text/plain\r\nContent-Length: 5\r\nConnection: keep-alive\r\nETag: \"65-5\"\r\n"
                + "Accept-Ranges: bytes\r\n\r\nhello",
            "hello", false
        ),
        (
            .get,
            "HTTP/1.1 200 OK\r\ndate: Sat, 21 Nov 2026 05:00:00 GMT\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "5\r\nhello\r\n1;a=\"b\"\r\n,\r\nA\r\n0123456789\r\n000\r\nX-Sum: 7\r\nX-Two: \r\n\r\n",
            "hello,0123456789", false
        ),
        (
            .put,
            "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nLink: </a.css>\r\n\r\n"
                + "HTTP/1.1 201 Created\r\nContent-Length: 0\r\n\r\n",
            "", false
        ),
        (.head, "HTTP/1.1 200\r\nContent-Length: 999\r\n\r\n", "", false),
        (.get, "HTTP/1.1 304 Not Modified\r\nTransfer-Encoding: chunked\r\n\r\n", "", false),
        (.get, "HTTP/1.1 204 \r\nX-Padded: \t a b \t\r\nX-Latin: caf\u{E9}\r\n\r\n", "", false),
        (
            .get, "HTTP/1.0 200 OK\r\nServer: SimpleHTTP/0.6 Python/3.11.2\r\n\r\nall of it\r\n\r\n",
            "all of it\r\n\r\n", true
        ),
    ]

    /// Every cut into two pieces and many random segmentations have the same result.
    @Test(arguments: recorded.indices)
    func everySegmentationHasTheSameResult(index: Int) throws {
        let (method, text, body, closes) = Self.recorded[index]
        let bytes = Array(text.utf8)
        let whole = try read([bytes[...]], method, closes: closes)
        #expect(whole.isComplete && whole.body == body && whole.rest == 0)
        for cut in 0...bytes.count {
            #expect(try read([bytes[..<cut], bytes[cut...]], method, closes: closes) == whole)
        }
        #expect(try read(bytes.indices.map { bytes[$0...$0] }, method, closes: closes) == whole)
        var random = SeededGenerator(seed: UInt64(index))
        for _ in 0..<200 {
            var pieces: [ArraySlice<UInt8>] = []
            var rest = bytes[...]
            while !rest.isEmpty {
                let piece = rest.prefix(Int.random(in: 1...9, using: &random))
                pieces.append(piece)
                rest = rest.dropFirst(piece.count)
            }
            #expect(try read(pieces, method, closes: closes) == whole)
        }
        // Without its last byte the response is incomplete. Bytes after the response are not consumed.
        guard !closes else { return }
        #expect(try read([bytes.dropLast()[...]], method).isComplete == false)
        #expect(try read([(bytes + Array("HTTP/1.1 500 next".utf8))[...]], method).rest == 17)
    }

    @Test func fieldsAreReadUnchanged() throws {
        let text = "HTTP/1.1 200 OK\r\nX-A: \t a b \t\r\nx-b:c\r\nX-A:\r\nX!#$%&'*+-.^_`|~: d:e\r\n\r\n"
        let head = try #require(try read([Array(text.utf8)[...]]).head)
        #expect(head.status == 200)
        #expect(
            head.fields.map { "\($0.name.rawName)=\($0.value)" } == [
                "X-A=a b", "x-b=c", "X-A=", "X!#$%&'*+-.^_`|~=d:e",
            ])
    }

    @Test func anUnrequestedResponse() throws {
        var parser = ResponseParser(limits: TransportLimits())
        var buffer = ByteBuffer(string: "H")
        let error = #expect(throws: TransportError.self) { try parser.next(&buffer) }
        #expect(error?.defect == .unexpectedBytes)
        parser.expect(.get)
        buffer = ByteBuffer(string: "HTTP/1.1 204 No Content\r\n\r\nH")
        guard case .head? = try parser.next(&buffer), case .end? = try parser.next(&buffer) else {
            Issue.record("The response was not read")
            return
        }
        #expect(throws: TransportError.self) { try parser.next(&buffer) }
    }

    @Test func hugeLengthsDoNotOverflow() throws {
        let text = "HTTP/1.1 200 OK\r\nContent-Length: 9223372036854775807\r\n\r\nxx"
        #expect(try read([Array(text.utf8)[...]]).body == "xx")
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nffffffffff\r\nxx"
        #expect(try read([Array(chunked.utf8)[...]]).body == "xx")
    }

    /// A limit applies at its exact byte in every segmentation.
    @Test func limitsAreExact() throws {
        let head = "HTTP/1.1 200 OK\r\nX: y\r\n\r\n"
        for (limit, fails) in [(head.utf8.count, false), (head.utf8.count - 1, true)] {
            for step in [1, 7, 100] {
                var limits = TransportLimits()
                limits.headBytes = limit
                var parser = ResponseParser(limits: limits)
                parser.expect(.head)
                var failed = false
                var rest = Array(head.utf8)[...]
                while !rest.isEmpty, !failed {
                    var buffer = ByteBuffer(bytes: rest.prefix(step))
                    rest = rest.dropFirst(step)
                    do throws(TransportError) {
                        while try parser.next(&buffer) != nil {}
                    } catch {
                        #expect(error.code == .headTooLarge)
                        failed = true
                    }
                }
                #expect(failed == fails)
            }
        }
    }
}
