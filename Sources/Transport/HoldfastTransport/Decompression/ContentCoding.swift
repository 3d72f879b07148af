import HTTPTypes

/// A coding of a body that can be undone (RFC 9110, 8.4.1).
enum ContentCoding: Hashable, Sendable {
    /// RFC 1952. A single member: behind the first, readers differ.
    case gzip
    /// RFC 1950, not the bare DEFLATE stream that some servers send under this name.
    case deflate

    /// What a request asks for.
    static let offered = "gzip, deflate"

    /// The coding of a response's body; `nil`: there is nothing to undo.
    ///
    /// Throws `decodingFailed` for a coding that was not asked for: a caller who expects text must not get something
    /// else without noticing.
    init?(of response: HTTPResponse, to method: HTTPRequest.Method) throws(TransportError) {
        // A part (206) of a coded body cannot be decoded alone.
        guard method != .head, ![204, 206, 304].contains(response.status.code) else { return nil }
        let codings = response.headerFields.tokens(of: .contentEncoding).filter { $0 != "identity" && !$0.isEmpty }
        guard let coding = codings.first else { return nil }
        switch coding {
        case _ where codings.count > 1:
            throw Self.failed("The body has been coded \(codings.count) times.")
        case "gzip", "x-gzip": self = .gzip
        case "deflate": self = .deflate
        default: throw Self.failed("The body has a coding that was not asked for.")
        }
    }

    static func failed(_ reason: String) -> TransportError {
        TransportError(.decodingFailed, in: .receiving, reason)
    }
}
