/// Why a `multipart/form-data` body could not be read (RFC 7578).
struct MultipartError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure.
    enum Code: String, Hashable, Sendable {
        case notMultipart, invalidBoundary, preambleTooLong, malformedDelimiter
        case headersTooLong, tooManyHeaders, malformedHeader, tooManyParts, missingName, truncated
    }

    /// The kind of failure.
    var code: Code

    init(_ code: Code) {
        self.code = code
    }

    var description: String {
        switch code {
        case .notMultipart: "The request's content type is not multipart/form-data."
        case .invalidBoundary: "The content type has no valid boundary parameter."
        case .preambleTooLong: "There are too many bytes before the first part."
        case .malformedDelimiter: "A boundary line has trailing bytes."
        case .headersTooLong: "A part's header block is too long."
        case .tooManyHeaders: "A part has too many header fields."
        case .malformedHeader: "A part has a malformed header line."
        case .tooManyParts: "The body has too many parts."
        case .missingName: "A part has no content disposition of form-data with a name."
        case .truncated: "The body ends before its last boundary."
        }
    }
}
