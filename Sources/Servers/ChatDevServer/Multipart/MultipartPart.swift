/// What a part of a form says of itself.
struct MultipartPart: Hashable, Sendable {
    /// The form field's name.
    var name: String
    /// The file's name, if the part is a file. It comes from the peer: good for display, never for a path.
    var fileName: String?
    /// The part's content type, as sent.
    var contentType: String?
}
