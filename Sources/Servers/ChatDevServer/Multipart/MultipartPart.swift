/// The headers of a form's part.
struct MultipartPart: Hashable, Sendable {
    /// The form field's name.
    var name: String
    /// The file name if the part is a file. It comes from the peer: use it for display, never for a path.
    var fileName: String?
    /// The part's content type, as sent.
    var contentType: String?
}
