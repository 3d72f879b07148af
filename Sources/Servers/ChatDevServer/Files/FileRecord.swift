/// The metadata of an uploaded file.
struct FileRecord: Hashable, Sendable {
    /// A random id, which is the name of the file on the disk.
    var fileID: String
    /// The name that the client sent.
    var name: String
    /// The MIME type; syntactically valid.
    var type: String
    /// The size in bytes.
    var size: Int64
}
