import HTTPTypes
import NIOHTTP1

/// Where a response's body ends (RFC 9112, 6.3), read so that there is one way to read it.
enum ResponseFraming: Hashable, Sendable {
    /// There is none.
    case none
    /// After this many bytes.
    case length(Int64)
    /// With the last chunk.
    case chunked
    /// With the connection.
    case untilClose
}

extension ResponseFraming {
    /// Reads the framing of a final response. Throws where two readers of the same head could disagree about the end of the
    /// body: NIOHTTP1 lets such heads pass, and a pooled connection must not.
    init(_ head: HTTPResponseHead, to method: HTTPRequest.Method) throws(TransportError) {
        if head.status.code == 101 {
            throw .malformed("The server switches protocols (101), which it was not asked to.")
        }
        let codings = head.headers["transfer-encoding"]
        if !codings.isEmpty {
            guard head.version.minor >= 1 else {
                throw .malformed("A response of HTTP/1.0 has a transfer coding.")
            }
            guard codings.count == 1 else {
                throw .malformed("The response has the field Transfer-Encoding \(codings.count) times.")
            }
            // No other coding was offered (TE), and one that is not last would leave the end open.
            guard codings[0].lowercased() == "chunked" else {
                throw .malformed("The response's transfer coding is not \"chunked\".")
            }
            guard !head.headers.contains(name: "content-length") else {
                throw .malformed("The response has both a transfer coding and a length.")
            }
        }
        let lengths = head.headers["content-length"]
        guard lengths.count <= 1 else {
            throw .malformed("The response has the field Content-Length \(lengths.count) times.")
        }
        if method == .head || head.status.code == 204 || head.status.code == 304 {
            self = .none
        } else if !codings.isEmpty {
            self = .chunked
        } else if let length = lengths.first {
            guard !length.isEmpty, length.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let length = Int64(length)
            else {
                throw .malformed("The response's length is no number.")
            }
            self = .length(length)
        } else {
            self = .untilClose
        }
    }
}
