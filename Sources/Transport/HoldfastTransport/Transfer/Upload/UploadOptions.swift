/// How a file is sent.
public struct UploadOptions: Sendable {
    /// Which digests of the file are announced (RFC 9530). They cost a reading of the file before it is sent.
    public struct Digests: OptionSet, Hashable, Sendable {
        public let rawValue: Int
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// `Content-Digest`: of what the request carries.
        public static let content = Digests(rawValue: 1)
        /// `Repr-Digest`: of the whole file.
        public static let representation = Digests(rawValue: 2)
    }

    /// Time-outs, redirects, progress, and whether an absent network is waited for. ``RequestOptions/upload(uploadTimeout:total:)`` by default:
    /// 120 seconds, idle and total, waiting for the network.
    public var request: RequestOptions
    /// Which digests are announced; none by default.
    public var digests: Digests
    /// How they are made. SHA-256 by default.
    public var algorithm: Checksum.Algorithm
    /// The most bytes of the answer. 64 KiB by default; more fails with ``TransportError/Code-swift.struct/responseTooLarge``.
    public var maximumAnswerBytes: Int

    /// Makes options.
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
