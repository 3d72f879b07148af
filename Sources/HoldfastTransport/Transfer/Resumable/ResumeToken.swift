/// What is needed to go on with an upload, after a restart too.
///
/// Keep it like a credential: whoever has it and the request's credentials can go on with the upload, or cancel it. It holds no
/// credential of the request. The token is bound to the request's URL and method, and to the file's size, date and digest: with another
/// file it is refused. What is decoded from an archive is checked when it is used.
public struct ResumeToken: Hashable, Sendable, Codable, CustomStringConvertible {
    var format = 1
    let version: UploadInteropVersion
    /// The URL of the upload.
    let location: String
    /// The digest of the request's method and URL.
    let request: String
    let stamp: FileStamp
    /// The file's digest.
    let digest: String
    /// How many bytes the server has said it has. It may have more.
    public internal(set) var acknowledged: Int64

    /// How many bytes the file has.
    public var size: Int64 { stamp.size }

    public var description: String { "upload of \(size) bytes, \(acknowledged) of them acknowledged" }
}
