import HTTPTypes

/// The rule for the end of a response's body (RFC 9112, 6.3), determined unambiguously.
enum ResponseFraming: Hashable, Sendable {
    /// There is no body.
    case none
    /// After this many bytes.
    case length(Int64)
    /// At the last chunk.
    case chunked
    /// At the end of the connection.
    case untilClose

    /// The length of the body, if the head announced it.
    var announcedLength: Int64? { if case .length(let length) = self { length } else { nil } }
}

extension ResponseFraming {
    /// Determines the framing of a final response. Throws if parsers of the same head could disagree about the end of
    /// the body.
    init(_ head: ResponseHead, to method: HTTPRequest.Method) throws(TransportError) {
        if head.status == 101 {
            throw .malformed(
                .unrequestedUpgrade, "The server switched protocols (101) without a request to do so.")
        }
        let codings = head.fields[values: .transferEncoding]
        let lengths = head.fields[values: .contentLength]
        if let coding = codings.first {
            guard lengths.isEmpty else {
                throw .malformed(
                    .lengthAndTransferCoding, "The response has both Transfer-Encoding and Content-Length.")
            }
            guard !head.isOldVersion else {
                throw .malformed(.transferCoding, "An HTTP/1.0 response has a transfer coding.")
            }
            guard codings.count == 1 else {
                throw .malformed(
                    .transferCoding, "The response has \(codings.count) Transfer-Encoding fields instead of one.")
            }
            // The request offered no other coding (TE), and a coding that is not last would leave the end undefined.
            guard coding.equalsIgnoringASCIICase("chunked") else {
                throw .malformed(.transferCoding, "The transfer coding of the response is not \"chunked\".")
            }
        }
        guard lengths.count <= 1 else {
            throw .malformed(
                .repeatedContentLength, "The response has \(lengths.count) Content-Length fields instead of one.")
        }
        // The length is checked even if it does not apply to this response: a server that sends a malformed length
        // cannot be trusted to frame the next response.
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
            throw .malformed(.contentLength, "The Content-Length of the response is not a number.")
        }
        return length
    }
}
