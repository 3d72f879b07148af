public import HTTPTypes

/// A downloaded file at its destination.
public struct DownloadedFile: Sendable {
    /// The path of the file.
    public var path: String
    /// The size of the file, in bytes.
    public var size: Int64
    /// The number of bytes that an earlier call had received.
    public var resumedAt: Int64
    /// The number of requests that were sent, including those that resumed the download.
    public var attempts: Int
    /// The digests that were verified: the caller's, and those that the server announced.
    public var verified: [Checksum]
    /// The last response.
    public var response: HTTPResponse
    /// The properties of the connection that carried the last response.
    public var facts: ConnectionFacts
}
