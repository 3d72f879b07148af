import HoldfastTrust

/// What an operator must show. No description shows it.
public struct OperatorToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// Bytes that a token must have at least: 128 bits in hexadecimal are 32, in base64 22.
    public static let minimumBytes = 16
    private static let fileLimit = 4_096

    private let bytes: [UInt8]

    /// Takes a token: printable ASCII without spaces, at least ``minimumBytes`` long; space around it is cut off.
    ///
    /// - Throws: ``ChatDevServerError/Code/invalidConfiguration``. The reason does not hold the token.
    public init(_ text: String) throws(ChatDevServerError) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let bytes = Array(Array(text.utf8).drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        guard bytes.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ChatDevServerError(
                .invalidConfiguration, reason: "A token is one line of printable ASCII without spaces.")
        }
        guard (Self.minimumBytes...Self.fileLimit).contains(bytes.count) else {
            throw ChatDevServerError(
                .invalidConfiguration,
                reason: "A token has at least \(Self.minimumBytes) characters; `openssl rand -hex 32` makes a good one."
            )
        }
        self.bytes = bytes
    }

    /// Reads a token from a file. Blocks the calling thread.
    public init(file path: String) throws(ChatDevServerError) {
        let bytes: [UInt8]
        do throws(CertificateError) {
            bytes = try RegularFile.read(path, limit: Self.fileLimit)
        } catch {
            throw ChatDevServerError(.invalidConfiguration, reason: error.reason, path: path)
        }
        try self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// Whether the value of an `Authorization` field shows this token (RFC 6750, 2.1). It takes as long for a nearly right
    /// token as for a wrong one of the same length; the length is no secret.
    func isShown(by authorization: String?) -> Bool {
        guard let authorization, authorization.utf8.count <= Self.fileLimit * 2 else { return false }
        let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        let shown = Array(parts[1].utf8)
        guard shown.count == bytes.count else { return false }
        return zip(shown, bytes).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }

    public var description: String { "<operator token>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}
