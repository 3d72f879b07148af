public import HTTPTypes

/// A file that has been fetched and put in its place.
public struct DownloadedFile: Sendable {
    /// Where it is.
    public var path: String
    /// How many bytes it has.
    public var size: Int64
    /// How many of them an earlier call had fetched.
    public var resumedAt: Int64
    /// How many requests were made, resumed ones included.
    public var attempts: Int
    /// The digests that were compared: the caller's, and those that the server announced.
    public var verified: [Checksum]
    /// The last response.
    public var response: HTTPResponse
    /// About the connection that carried it.
    public var facts: ConnectionFacts
}
