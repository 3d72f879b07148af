import HTTPTypes
import HoldfastSystem

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

    /// Refuses a request that the token was not made for.
    func check(_ method: HTTPRequest.Method, _ url: RequestURL) throws(TransferError) {
        guard format == 1, request == Self.binding(method, url) else {
            throw TransferError(.tokenRefused, "The token belongs to another request.")
        }
    }

    /// What binds a token to its request: a digest, since URLs may hold credentials.
    static func binding(_ method: HTTPRequest.Method, _ url: RequestURL) -> String {
        PartRecord.digest(of: "\(method.rawValue) \(url.text)")
    }
}
