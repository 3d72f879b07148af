import HTTPTypes
import HoldfastTransport
import HoldfastTransportTestSupport
import Testing

/// Responses that RFC 9113 calls malformed, each with the defect that must be reported.
struct HTTP2AmbiguousResponse: Sendable, CustomTestStringConvertible {
    var name: String
    var defect: ResponseDefect
    var method = HTTPRequest.Method.get
    var frames: @Sendable (UInt32) -> [RawHTTP2Frame]

    var testDescription: String { name }

    private init(
        _ name: String, _ defect: ResponseDefect, _ method: HTTPRequest.Method = .get,
        frames: @escaping @Sendable (UInt32) -> [RawHTTP2Frame]
    ) {
        self.name = name
        self.defect = defect
        self.method = method
        self.frames = frames
    }

    private static func head(_ name: String, _ defect: ResponseDefect, _ fields: [(String, String)]) -> Self {
        Self(name, defect) { [.head($0, fields), .data($0, [120], ends: true)] }
    }

    private static func field(_ name: String, _ defect: ResponseDefect, _ field: (String, String)) -> Self {
        head(name, defect, [(":status", "200"), field])
    }

    static let all: [Self] =
        [
            head("no status", .pseudoField, [("x", "y")]),
            head("nothing", .pseudoField, []),
            head("two statuses", .pseudoField, [(":status", "200"), (":status", "200")]),
            head("a status after a field", .pseudoField, [("x", "y"), (":status", "200")]),
            head("a request's pseudo-field", .pseudoField, [(":status", "200"), (":path", "/")]),
            head("an unknown pseudo-field", .pseudoField, [(":status", "200"), (":x", "y")]),
        ]
        + ["", "20", "2000", "abc", "+20", "-20", "099", "2 0", "٢٠٠"].map {
            head("the status \"\($0)\"", .statusLine, [(":status", $0)])
        }
        + ["Connection", "X-Y", "x y", "x:y", "x\u{0}", "ä", "x\r\ny"].map {
            field("the name \"\($0)\"", .fieldName, ($0, "v"))
        }
        + ["connection", "keep-alive", "proxy-connection", "transfer-encoding", "upgrade"].map {
            field("the field \($0)", .connectionField, ($0, "close"))
        }
        + ["a\u{0}b", "a\rb", "a\nb", "a\r\nx: y", "\u{1}", "a\u{7F}"].map {
            field("the value \($0.debugDescription)", .controlCharacter, ("x", $0))
        }
        + [" a", "a ", "\ta", "a\t", " "].map {
            field("the value \($0.debugDescription)", .surroundingSpace, ("x", $0))
        }
        + ["", "-1", "+1", "1,1", "0x1", "1 1", "99999999999999999999"].map {
            field("the length \"\($0)\"", .contentLength, ("content-length", $0))
        }
        + [
            head(
                "two lengths", .repeatedContentLength,
                [(":status", "200"), ("content-length", "1"), ("content-length", "1")]),
            field("a body that is too short", .lengthMismatch, ("content-length", "2")),
            field("a body that is too long", .lengthMismatch, ("content-length", "0")),
            Self("a missing body", .lengthMismatch) {
                [.head($0, [(":status", "200"), ("content-length", "1")], ends: true)]
            },
            Self("101", .unrequestedUpgrade) { [.head($0, [(":status", "101")])] },
            Self("an informational response that ends the stream", .informationalBody) {
                [.head($0, [(":status", "100")], ends: true)]
            },
            Self("an informational response with a length", .informationalBody) {
                [.head($0, [(":status", "103"), ("content-length", "1")])]
            },
            Self("a body of a HEAD", .lengthMismatch, .head) {
                [.head($0, [(":status", "200")]), .data($0, [120], ends: true)]
            },
            Self("a body of a 204", .lengthMismatch) {
                [.head($0, [(":status", "204")]), .data($0, [120], ends: true)]
            },
            Self("a body of a 304", .lengthMismatch) {
                [.head($0, [(":status", "304")]), .data($0, [120], ends: true)]
            },
            Self("a body before its head", .frame) { [.data($0, [120], ends: true)] },
            Self("trailers that are not the end", .frame) {
                [.head($0, [(":status", "200")]), .head($0, [("x", "y")])]
            },
            Self("a length among the trailers", .trailerField) {
                [.head($0, [(":status", "200")]), .head($0, [("content-length", "0")], ends: true)]
            },
            Self("a status among the trailers", .pseudoField) {
                [.head($0, [(":status", "200")]), .head($0, [(":status", "200")], ends: true)]
            },
            Self("a connection field among the trailers", .connectionField) {
                [.head($0, [(":status", "200")]), .head($0, [("transfer-encoding", "chunked")], ends: true)]
            },
        ]
}
