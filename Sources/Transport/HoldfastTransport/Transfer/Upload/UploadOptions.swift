/// The options of an upload.
public struct UploadOptions: Sendable {
    /// The digests of the file that the request announces (RFC 9530). Computing them reads the whole file before it is
    /// sent.
    public struct Digests: OptionSet, Hashable, Sendable {
        /// The bits of the set.
        public let rawValue: Int
        /// Creates a set from its bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `Content-Digest`: the digest of the request's content.
        public static let content = Digests(rawValue: 1)
        /// `Repr-Digest`: the digest of the whole file.
        public static let representation = Digests(rawValue: 2)
    }

    /// Timeouts, redirects, progress, and whether to wait for a missing network. By default
    /// ``RequestOptions/upload(uploadTimeout:total:)``: idle and total timeouts of 120 seconds, waiting for the
    /// network.
    public var request: RequestOptions
    /// The digests to announce; none by default.
    public var digests: Digests
    /// The digest algorithm. SHA-256 by default.
    public var algorithm: Checksum.Algorithm
    /// The maximum size of the response body. 64 KiB by default; more fails with
    /// ``TransportError/Code-swift.struct/responseTooLarge``.
    public var maximumAnswerBytes: Int

    /// Creates options.
    public init(
        request: RequestOptions = .upload(), digests: Digests = [], algorithm: Checksum.Algorithm = .sha256,
        maximumAnswerBytes: Int = 64 * 1024
    ) {
        self.request = request
        self.digests = digests
        self.algorithm = algorithm
        self.maximumAnswerBytes = maximumAnswerBytes
    }
}
