import HTTPTypes

/// A content coding that the client can decode (RFC 9110, 8.4.1).
enum ContentCoding: Hashable, Sendable {
    /// RFC 1952, with a single member, because decoders differ about further members.
    case gzip
    /// RFC 1950. The raw DEFLATE stream that some servers send under this name is not supported.
    case deflate

    /// The value of `Accept-Encoding`.
    static let offered = "gzip, deflate"

    /// Creates the coding of a response's body; `nil` if the body is not coded.
    ///
    /// Throws `decodingFailed` for a coding that the request did not accept, so that a caller never mistakes coded
    /// bytes for content.
    init?(of response: HTTPResponse, to method: HTTPRequest.Method) throws(TransportError) {
        // A part (206) of a coded body cannot be decoded alone.
        guard method != .head, ![204, 206, 304].contains(response.status.code) else { return nil }
        let codings = response.headerFields.tokens(of: .contentEncoding).filter { $0 != "identity" && !$0.isEmpty }
        guard let coding = codings.first else { return nil }
        switch coding {
        case _ where codings.count > 1:
            throw Self.failed("The body has \(codings.count) codings; at most one is supported.")
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: throw Self.failed("The body has a coding that the request did not accept.")
        }
    }

    static func failed(_ reason: String) -> TransportError {
        TransportError(.decodingFailed, in: .receiving, reason)
    }
}
