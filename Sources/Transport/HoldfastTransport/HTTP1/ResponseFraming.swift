import HTTPTypes

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
    /// Reads the framing of a final response. Throws where two readers of the same head could disagree about the end of
    /// the body.
    init(_ head: ResponseHead, to method: HTTPRequest.Method) throws(TransportError) {
        if head.status == 101 {
            throw .malformed(
                .unrequestedUpgrade, "The server switches protocols (101), which it was not asked to.")
        }
        let codings = head.fields[values: .transferEncoding]
        let lengths = head.fields[values: .contentLength]
        if let coding = codings.first {
            guard lengths.isEmpty else {
                throw .malformed(.lengthAndTransferCoding, "The response has both a transfer coding and a length.")
            }
            guard !head.isOldVersion else {
                throw .malformed(.transferCoding, "A response of HTTP/1.0 has a transfer coding.")
            }
            guard codings.count == 1 else {
                throw .malformed(
                    .transferCoding, "The response has the field Transfer-Encoding \(codings.count) times.")
            }
            // No other coding was offered (TE), and one that is not last would leave the end open.
            guard coding.equalsIgnoringASCIICase("chunked") else {
                throw .malformed(.transferCoding, "The response's transfer coding is not \"chunked\".")
            }
        }
        guard lengths.count <= 1 else {
            throw .malformed(
                .repeatedContentLength, "The response has the field Content-Length \(lengths.count) times.")
        }
        // Checked even where it has no bearing on this response: who writes such a field cannot be trusted to frame the next.
        let length = try lengths.first.map { text throws(TransportError) in try Self.length(text) }
        if method == .head || head.status == 204 || head.status == 304 {
            self = .none
        } else if !codings.isEmpty {
            self = .chunked
        } else if let length {
            self = .length(length)
        } else {
            self = .untilClose
        }
    }

    private static func length(_ text: String) throws(TransportError) -> Int64 {
        guard !text.isEmpty, text.utf8.allSatisfy(\.isDigit), let length = Int64(text) else {
            throw .malformed(.contentLength, "The response's length is no number.")
        }
        return length
    }
}
