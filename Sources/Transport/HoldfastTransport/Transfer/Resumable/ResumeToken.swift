import HTTPTypes
import HoldfastSystem

/// The data for resuming an upload, also after a restart.
///
/// Store it like a credential: anyone with the token and the request's credentials can resume or cancel the upload. It
/// contains no credentials of the request.
///
/// The token is bound to the request's URL and method, and to the file's size, date and digest, and is refused for any
/// other file. A decoded token is validated when it is used.
public struct ResumeToken: Hashable, Sendable, Codable, CustomStringConvertible {
    var format = 1
    let version: UploadInteropVersion
    /// The URL of the upload.
    let location: String
    /// The digest of the request's method and URL.
    let request: String
    let stamp: FileStamp
    /// The digest of the file.
    let digest: String
    /// The number of bytes that the server acknowledged. The server may have more.
    public internal(set) var acknowledged: Int64

    /// The size of the file, in bytes.
    public var size: Int64 { stamp.size }

    /// The size of the file and the number of acknowledged bytes.
    public var description: String { "upload of \(size) bytes, \(acknowledged) of them acknowledged" }

    /// Throws `tokenRefused` if the token was not created for the request.
    func check(_ method: HTTPRequest.Method, _ url: RequestURL) throws(TransferError) {
        guard format == 1, request == Self.binding(method, url) else {
            throw TransferError(.tokenRefused, "The token belongs to another request.")
        }
    }

    /// Returns the binding of a token to its request: a digest, because URLs may contain credentials.
    static func binding(_ method: HTTPRequest.Method, _ url: RequestURL) -> String {
        PartRecord.digest(of: "\(method.rawValue) \(url.text)")
    }
}
