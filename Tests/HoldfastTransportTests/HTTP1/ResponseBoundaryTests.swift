import HoldfastTestSupport
import Testing

@testable import HoldfastTransport

/// The end of a response is found at the same byte however the bytes arrive.
@Suite struct ResponseBoundaryTests {
    /// Feeds bytes in pieces of random size, plays the decoder's part, and returns how many were taken until the end.
    private func length(_ bytes: [UInt8], _ framing: ResponseFraming, _ random: inout SeededGenerator) throws -> Int? {
        var boundary = ResponseBoundary(limit: 1000)
        boundary.expect()
        var taken = 0
        while taken < bytes.count {
            let piece = bytes[taken..<min(bytes.count, taken + Int.random(in: 1...7, using: &random))]
            switch try boundary.take(piece) {
            case .pass(let count):
                taken += count
            case .passEndOfHead(let count):
                taken += count
                #expect(boundary.awaitsDecoder)
                boundary.frame(framing)
                if boundary.end() { return taken }
            case .passEndOfMessage(let count):
                taken += count
                #expect(boundary.end() == true)
                return taken
            }
        }
        return nil
    }

    static let heads = ["HTTP/1.1 200 OK\r\nX: y\r\n\r\n", "HTTP/1.1 200 OK\r\n\r\n", "HTTP/1.1 200\n\n"]

    @Test(arguments: heads, 0..<50)
    func theEndIsFound(head: String, seed: Int) throws {
        var random = SeededGenerator(seed: UInt64(seed))
        let more = Array("HTTP/1.1 500 next".utf8)
        for (body, framing) in [
            ("", ResponseFraming.none), ("hello", .length(5)), ("", .length(0)),
            ("5\r\nhello\r\n0\r\n\r\n", .chunked), ("0\r\n\r\n", .chunked),
            ("5;a=\"b\"\r\nhello\r\nA\r\n0123456789\r\n00\r\nT: 1\r\nU: 2\r\n\r\n", .chunked),
            ("1\r\n\n\r\n0\r\n\r\n", .chunked),
        ] {
            let whole = Array((head + body).utf8)
            #expect(try length(whole + more, framing, &random) == whole.count)
            #expect(try length(Array(whole.dropLast()), framing, &random) == nil)
        }
    }

    @Test func bytesOutOfTurnAreRefused() throws {
        var boundary = ResponseBoundary(limit: 100)
        #expect(throws: TransportError.self) { try boundary.take(Array("HTTP".utf8)) }
        boundary.expect()
        #expect(throws: TransportError.self) { try boundary.take(Array("\r\nHTTP".utf8)) }
        boundary.expect()
        #expect(try boundary.take(Array("HTTP/1.1 200 OK\r\n\r\n".utf8)) == .passEndOfHead(19))
        // The decoder has not announced the head: whatever comes now cannot be placed.
        #expect(throws: TransportError.self) { try boundary.take([1]) }
    }

    @Test func anEndWhereNoneIsIsRefused() throws {
        var boundary = ResponseBoundary(limit: 100)
        #expect(boundary.end() == false)
        boundary.expect()
        #expect(boundary.end() == false)
        _ = try boundary.take(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        boundary.frame(.length(3))
        #expect(boundary.end() == false)
        #expect(try boundary.take([1, 2, 3, 4]) == .passEndOfMessage(3))
        #expect(boundary.end() == true)
        #expect(throws: TransportError.self) { try boundary.take([4]) }
    }

    @Test func hugeLengthsDoNotOverflow() throws {
        var boundary = ResponseBoundary(limit: 100)
        boundary.expect()
        _ = try boundary.take(Array("HTTP/1.1 200 OK\r\n\r\n".utf8))
        boundary.frame(.length(.max))
        #expect(try boundary.take([1, 2]) == .pass(2))
        var scan = ChunkScan(limit: 100)
        #expect(throws: TransportError.self) { try scan.take(Array("fffffffffff\r\n".utf8)) }
        var other = ChunkScan(limit: 100)
        #expect(try other.take(Array("ffffffffff\r\nx".utf8)).isComplete == false)
    }
}
