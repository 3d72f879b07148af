import HTTPTypes
import HoldfastTransport

/// What `holdfast get` received.
struct GetResult: Sendable {
    /// The last response.
    var response: HTTPResponse
    /// The number of bytes of the body or, for a download, of the file.
    var bytes: Int64
    /// The path of the written file, if the output is a file.
    var file: String?
    /// The number of bytes of an earlier run, for a download.
    var resumedAt: Int64?
    /// The digests of the file that were verified.
    var verified: [Checksum] = []
    /// The body, if the result is a JSON object.
    var body: [UInt8]?
    /// The start of the body of an error response that was not written.
    var errorBody: [UInt8]?
}
