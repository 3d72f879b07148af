import HoldfastTransport
import Testing

/// A response that is ambiguous or malformed, byte for byte.
struct AmbiguousResponse: Sendable, CustomTestStringConvertible {
    var name: String
    var defect: ResponseDefect
    var bytes: String

    var testDescription: String { name }

    private init(_ name: String, _ defect: ResponseDefect, _ bytes: String) {
        self.name = name
        self.defect = defect
        self.bytes = bytes
    }

    private static func fields(_ name: String, _ defect: ResponseDefect, _ fields: String) -> Self {
        Self(name, defect, "HTTP/1.1 200 OK\r\n\(fields)\r\n\r\nx")
    }

    private static func chunks(_ name: String, _ defect: ResponseDefect, _ body: String) -> Self {
        Self(name, defect, "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n\(body)")
    }

    static let all: [AmbiguousResponse] = statusLines + lengths + codings + fieldLines + chunkedBodies

    private static let statusLines: [AmbiguousResponse] = [
        Self("HTTP/2 preface", .statusLine, "HTTP/2.0 200 OK\r\n\r\n"),
        Self("HTTP/0.9", .statusLine, "<html>hello</html>"),
        Self("another protocol", .statusLine, "220 mail.example.com ESMTP\r\n"),
        Self("an unknown minor version", .statusLine, "HTTP/1.2 200 OK\r\n\r\n"),
        Self("a version of two digits", .statusLine, "HTTP/1.10 200 OK\r\n\r\n"),
        Self("a version in lower case", .statusLine, "http/1.1 200 OK\r\n\r\n"),
        Self("a status that is not a number", .statusLine, "HTTP/1.1 abc OK\r\n\r\n"),
        Self("a status of two digits", .statusLine, "HTTP/1.1 20 OK\r\n\r\n"),
        Self("a status of four digits", .statusLine, "HTTP/1.1 2000 OK\r\n\r\n"),
        Self("a status below 100", .statusLine, "HTTP/1.1 099 OK\r\n\r\n"),
        Self("two spaces", .statusLine, "HTTP/1.1  200 OK\r\n\r\n"),
        Self("a tab for a space", .statusLine, "HTTP/1.1\t200 OK\r\n\r\n"),
        Self("a line break before the status line", .statusLine, "\r\nHTTP/1.1 200 OK\r\n\r\n"),
        Self("a line break after a 1xx", .statusLine, "HTTP/1.1 100 Continue\r\n\r\n\r\nHTTP/1.1 200 OK\r\n\r\n"),
        Self("a NUL in the reason", .controlCharacter, "HTTP/1.1 200 O\0K\r\n\r\n"),
        Self("a bare LF after the status line", .bareLineFeed, "HTTP/1.1 200 OK\nContent-Length: 1\r\n\r\nx"),
        Self("a bare CR in the reason", .bareCarriageReturn, "HTTP/1.1 200 OK\rX: y\r\n\r\n"),
        Self("an upgrade", .unrequestedUpgrade, "HTTP/1.1 101 Switching\r\nUpgrade: h2c\r\n\r\n"),
        Self("a 1xx with a length", .informationalBody, "HTTP/1.1 100 Go\r\nContent-Length: 1\r\n\r\nx"),
        Self("a chunked 1xx", .informationalBody, "HTTP/1.1 103 Hints\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    ]

    private static let lengths: [AmbiguousResponse] = [
        fields("two lengths", .repeatedContentLength, "Content-Length: 1\r\nContent-Length: 2"),
        fields("two equal lengths", .repeatedContentLength, "Content-Length: 1\r\nContent-Length: 1"),
        fields("two lengths in two spellings", .repeatedContentLength, "Content-Length: 1\r\ncontent-length: 2"),
        fields("a list of lengths", .contentLength, "Content-Length: 1, 1"),
        fields("a list of different lengths", .contentLength, "Content-Length: 1,2"),
        fields("a negative length", .contentLength, "Content-Length: -1"),
        fields("a length with a sign", .contentLength, "Content-Length: +1"),
        fields("an empty length", .contentLength, "Content-Length:"),
        fields("a length with a space in it", .contentLength, "Content-Length: 1 0"),
        fields("a hexadecimal length", .contentLength, "Content-Length: 0x1"),
        fields("a fraction", .contentLength, "Content-Length: 1.0"),
        fields("digits of another script", .contentLength, "Content-Length: ١"),
        fields("a length beyond 64 bits", .contentLength, "Content-Length: 99999999999999999999"),
        fields("2^63", .contentLength, "Content-Length: 9223372036854775808"),
        Self("an invalid length without a body", .contentLength, "HTTP/1.1 304 Same\r\nContent-Length: x\r\n\r\n"),
    ]

    private static let codings: [AmbiguousResponse] = [
        fields("a coding and a length", .lengthAndTransferCoding, "Transfer-Encoding: chunked\r\nContent-Length: 1"),
        fields("a length and a coding", .lengthAndTransferCoding, "Content-Length: 1\r\nTransfer-Encoding: chunked"),
        fields("identity and a length", .lengthAndTransferCoding, "Transfer-Encoding: identity\r\nContent-Length: 1"),
        fields("two codings", .transferCoding, "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked"),
        fields("two codings, one unknown", .transferCoding, "Transfer-Encoding: chunked\r\nTransfer-Encoding: cow"),
        fields("chunked twice", .transferCoding, "Transfer-Encoding: chunked, chunked"),
        fields("chunked is not last", .transferCoding, "Transfer-Encoding: chunked, identity"),
        fields("an unrequested coding", .transferCoding, "Transfer-Encoding: gzip, chunked"),
        fields("identity", .transferCoding, "Transfer-Encoding: identity"),
        fields("an unknown coding", .transferCoding, "Transfer-Encoding: xchunked"),
        fields("a parameter", .transferCoding, "Transfer-Encoding: chunked;q=1"),
        fields("quotes", .transferCoding, "Transfer-Encoding: \"chunked\""),
        fields("an empty coding", .transferCoding, "Transfer-Encoding:"),
        fields("a trailing comma", .transferCoding, "Transfer-Encoding: chunked,"),
        Self("chunked in HTTP/1.0", .transferCoding, "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        fields("a Kelvin sign for a k", .transferCoding, "Transfer-Encoding: chun\u{212A}ed"),
        fields("a trailing combining mark", .transferCoding, "Transfer-Encoding: chunked\u{301}"),
        fields("a vertical tab", .controlCharacter, "Transfer-Encoding: \u{0B}chunked"),
        fields("a coding after a bare CR", .bareCarriageReturn, "X: y\rTransfer-Encoding: chunked"),
        fields("a space before the coding's colon", .spaceBeforeColon, "Transfer-Encoding : chunked"),
        fields("a folded coding", .foldedField, "Transfer-Encoding:\r\n chunked"),
    ]

    private static let fieldLines: [AmbiguousResponse] = [
        fields("a space before the colon", .spaceBeforeColon, "Content-Length : 1"),
        fields("a tab before the colon", .spaceBeforeColon, "Content-Length\t: 1"),
        fields("a folded field", .foldedField, "X: a\r\n b\r\nContent-Length: 1"),
        fields("a field folded by a tab", .foldedField, "X: a\r\n\tb\r\nContent-Length: 1"),
        fields("a first line with a space", .foldedField, " Content-Length: 1"),
        fields("a field without a name", .fieldName, ": a"),
        fields("a NUL in a name", .fieldName, "X\0Y: a"),
        fields("a quote in a name", .fieldName, "X\"Y: a"),
        fields("a letter beyond ASCII in a name", .fieldName, "Größe: a"),
        fields("a line without a colon", .missingColon, "Content-Length"),
        fields("a NUL in a value", .controlCharacter, "X: a\0b"),
        fields("a control character in a value", .controlCharacter, "X: a\u{01}b"),
        fields("DEL in a value", .controlCharacter, "X: a\u{7F}b"),
        fields("a bare CR in a value", .bareCarriageReturn, "X: a\rb"),
        fields("a bare CR that hides a field", .bareCarriageReturn, "X: a\rContent-Length: 1"),
        fields("two CR", .bareCarriageReturn, "X: a\r\r"),
        fields("a bare LF that ends a field", .bareLineFeed, "X: a\nContent-Length: 1"),
        Self("a bare LF that ends the head", .bareLineFeed, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\nx"),
        Self("a bare CR that ends the head", .bareCarriageReturn, "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\rx"),
    ]

    private static let chunkedBodies: [AmbiguousResponse] = [
        chunks("a chunk without a size", .chunkSize, "\r\nx\r\n0\r\n\r\n"),
        chunks("a chunk size that is not a number", .chunkSize, "zz\r\nx\r\n0\r\n\r\n"),
        chunks("a chunk size with 0x", .chunkSize, "0x1\r\nx\r\n0\r\n\r\n"),
        chunks("a negative chunk size", .chunkSize, "-1\r\nx\r\n0\r\n\r\n"),
        chunks("a chunk size with a sign", .chunkSize, "+1\r\nx\r\n0\r\n\r\n"),
        chunks("a space before the size", .chunkSize, " 1\r\nx\r\n0\r\n\r\n"),
        chunks("a space after the size", .chunkSize, "1 \r\nx\r\n0\r\n\r\n"),
        chunks("an underscore", .chunkSize, "1_0\r\nx\r\n0\r\n\r\n"),
        chunks("a chunk size that overflows 64 bits", .chunkSize, "10000000000000001\r\nx\r\n0\r\n\r\n"),
        chunks("a chunk size of endless zeros", .chunkSize, "00000000001\r\nx\r\n0\r\n\r\n"),
        chunks("a bare LF after the size", .bareLineFeed, "1\nx\r\n0\r\n\r\n"),
        chunks("a bare CR after the size", .bareCarriageReturn, "1\rx\r\n0\r\n\r\n"),
        chunks("a bare LF in an extension", .bareLineFeed, "1;a\nx\r\n0\r\n\r\n"),
        chunks("a bare CR in an extension", .bareCarriageReturn, "1;a\rb\r\nx\r\n0\r\n\r\n"),
        chunks("a NUL in an extension", .chunkExtension, "1;a\0\r\nx\r\n0\r\n\r\n"),
        chunks("an empty extension", .chunkExtension, "2;\r\nxx\r\n0\r\n\r\n"),
        chunks("an empty extension of the last chunk", .chunkExtension, "1\r\nx\r\n0;\r\n\r\n"),
        chunks("an empty extension after another", .chunkExtension, "1;a;\r\nx\r\n0\r\n\r\n"),
        chunks("an extension of white space", .chunkExtension, "1; \r\nx\r\n0\r\n\r\n"),
        chunks("an extension without a value", .chunkExtension, "1;a=\r\nx\r\n0\r\n\r\n"),
        chunks("an extension without a name", .chunkExtension, "1;=a\r\nx\r\n0\r\n\r\n"),
        chunks("an extension with an unterminated quotation", .chunkExtension, "1;a=\"b\r\nx\r\n0\r\n\r\n"),
        chunks("an extension with text after a quotation", .chunkExtension, "1;a=\"b\"c\r\nx\r\n0\r\n\r\n"),
        chunks("two names without a semicolon", .chunkExtension, "1;a b\r\nx\r\n0\r\n\r\n"),
        chunks("an extension that is too long", .chunkExtension, "1;" + String(repeating: "a", count: 20_000)),
        chunks(
            "extensions that are too long together", .chunkExtension,
            String(repeating: "1;" + String(repeating: "a", count: 1000) + "\r\nx\r\n", count: 20)),
        chunks("a chunk that is longer than its size", .chunkEnd, "1\r\nxx\r\n0\r\n\r\n"),
        chunks("a chunk that is shorter than its size", .chunkEnd, "3\r\nx\r\n0\r\n\r\n"),
        chunks("a bare LF after the data", .chunkEnd, "1\r\nx\n0\r\n\r\n"),
        chunks("a bare CR after the data", .chunkEnd, "1\r\nx\r0\r\n\r\n"),
        chunks("no line break after the data", .chunkEnd, "1\r\nx0\r\n\r\n"),
        chunks("a length among the trailers", .trailerField, "0\r\nContent-Length: 5\r\n\r\n"),
        chunks("a coding among the trailers", .trailerField, "0\r\nTransfer-Encoding: chunked\r\n\r\n"),
        chunks("a folded trailer", .foldedField, "0\r\nX: a\r\n b\r\n\r\n"),
        chunks("a bare LF among the trailers", .bareLineFeed, "0\r\nX: a\n\r\n"),
        chunks("a bare LF that ends the trailers", .bareLineFeed, "0\r\n\n"),
        chunks("a space before a trailer's colon", .spaceBeforeColon, "0\r\nX : a\r\n\r\n"),
    ]
}
