import NIOCore
import Testing

@testable import ServerKit

@Suite("Forms")
struct MultipartParserTests {
    /// Parses a body in pieces of a given size, and joins the data of each part.
    private func parse(
        _ body: String, boundary: String = "b", pieces: Int, limits: MultipartLimits = .init()
    ) throws -> [MultipartEvent] {
        var parser = try MultipartParser(contentType: "multipart/form-data; boundary=\(boundary)", limits: limits)
        var events: [MultipartEvent] = []
        let bytes = Array(body.utf8)
        for start in stride(from: 0, to: bytes.count, by: pieces) {
            for event in try parser.feed(ByteBuffer(bytes: bytes[start..<min(start + pieces, bytes.count)])) {
                if case .data(var more) = event, case .data(var known)? = events.last {
                    known.writeBuffer(&more)
                    events[events.count - 1] = .data(known)
                } else {
                    events.append(event)
                }
            }
        }
        try parser.end()
        return events
    }

    private static let file = "Content-Disposition: form-data; name=\"f\"; filename=\"a.png\"\r\n"

    @Test("Events are independent of the sizes of the pieces", arguments: [1, 2, 3, 7, 64, 10_000])
    func chunking(pieces: Int) throws {
        let content = "line\r\n--not it\r\n--\r\n-\r\r\n--"
        let body =
            "preamble\r\n--b \t\r\n\(Self.file)Content-Type: image/png\r\n\r\n\(content)\r\n--b\r\n"
            + "content-disposition:form-data;name=note\r\n\r\n\r\n--b--\r\nepilogue"
        #expect(
            try parse(body, pieces: pieces) == [
                .began(MultipartPart(name: "f", fileName: "a.png", contentType: "image/png")),
                .data(ByteBuffer(string: content)), .ended,
                .began(MultipartPart(name: "note", fileName: nil, contentType: nil)), .ended, .finished,
            ])
    }

    @Test("Names with quotes, semicolons and umlauts are parsed")
    func names() throws {
        let body = "--b\r\nContent-Disposition: form-data; name=\"a;b\"; filename=\"ä\\\"x\\\\;.png\"\r\n\r\n\r\n--b--"
        #expect(
            try parse(body, pieces: 5).first
                == .began(MultipartPart(name: "a;b", fileName: "ä\"x\\;.png", contentType: nil)))
    }

    @Test(
        "A malformed form is refused with its reason",
        arguments: [
            ("--b\r\n\(Self.file)\r\ncut", .truncated),
            ("", .truncated),
            ("--b\r\n\r\n", .missingName),
            ("--b\r\nContent-Type: x\r\n\r\n", .missingName),
            ("--b\r\nContent-Disposition: attachment; name=x\r\n\r\n", .missingName),
            ("--b\r\nno header\r\n\r\n", .malformedHeader),
            ("--b\r\n: empty\r\n\r\n", .malformedHeader),
            ("--bx\r\n\(Self.file)\r\n", .malformedDelimiter),
            ("--b" + String(repeating: " ", count: 100), .malformedDelimiter),
            (String(repeating: "x", count: 2_000), .preambleTooLong),
            ("--b\r\nA: " + String(repeating: "x", count: 9_000), .headersTooLong),
            ("--b\r\n" + String(repeating: "A: x\r\n", count: 17) + "\r\n", .tooManyHeaders),
            (String(repeating: "--b\r\n\(Self.file)\r\n\r\n", count: 9), .tooManyParts),
        ] as [(String, MultipartError.Code)], [1, 4_096])
    func refusals(body: (String, MultipartError.Code), pieces: Int) {
        let error = #expect(throws: MultipartError.self) { try parse(body.0, pieces: pieces) }
        #expect(error?.code == body.1)
    }

    @Test(
        "An invalid boundary is refused",
        arguments: ["", "\"\"", "\"a b \"", "\"ü\"", String(repeating: "b", count: 71), "\"a\\\"b\""])
    func boundaries(boundary: String) {
        let error = #expect(throws: MultipartError.self) { try parse("", boundary: boundary, pieces: 1) }
        #expect(error?.code == .invalidBoundary)
    }

    @Test("The parser buffers at most a delimiter's length of a part")
    func memory() throws {
        var parser = try MultipartParser(contentType: "multipart/form-data; boundary=b")
        var received = 0
        _ = try parser.feed(ByteBuffer(string: "--b\r\n\(Self.file)\r\n"))
        for round in 1...100 {
            for case .data(let data) in try parser.feed(ByteBuffer(repeating: 13, count: 1_000)) {
                received += data.readableBytes
            }
            #expect(round * 1_000 - received <= 5)
        }
    }

    @Test("Every prefix of a form is incomplete and does not trap")
    func prefixes() throws {
        let body = "--b\r\n\(Self.file)\r\nx\r\n--b--"
        for length in 0..<body.utf8.count {
            let prefix = String(decoding: Array(body.utf8.prefix(length)), as: UTF8.self)
            #expect(throws: MultipartError(.truncated), "\(length)") { try parse(prefix, pieces: 3) }
        }
    }
}
