/// An uploaded file.
struct FileRecord: Hashable, Sendable {
    /// Random, and the name under which the bytes lie on the disk.
    var fileID: String
    /// The name that the client gave it.
    var name: String
    /// The MIME type; checked to be one.
    var type: String
    /// Bytes.
    var size: Int64
}
