import Crypto
import HoldfastTrust

/// What a reader of reports must show. Only its digest is kept, and no description shows it.
public struct ReaderToken: Sendable, CustomStringConvertible, CustomReflectable {
    /// Bytes that a token must have at least: 128 bits in hexadecimal are 32, in base64 22.
    public static let minimumBytes = 16
    private static let fileLimit = 4_096

    private let digest: SHA256Digest

    /// Takes a token: printable ASCII without spaces, at least ``minimumBytes`` long; space around it is cut off.
    ///
    /// - Throws: ``ReportCollectorError/Code/unusableToken``. The reason does not hold the token.
    public init(_ text: String) throws(ReportCollectorError) {
        let token = text.utf8.trimmingASCIISpace
        guard token.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw ReportCollectorError(.unusableToken, "A token is one line of printable ASCII without spaces.")
        }
        guard token.count >= Self.minimumBytes else {
            throw ReportCollectorError(
                .unusableToken,
                "A token has at least \(Self.minimumBytes) characters; `openssl rand -hex 32` makes a good one.")
        }
        digest = SHA256.hash(data: Array(token))
    }

    /// Reads a token from a file. Blocks the calling thread.
    public init(file path: String) throws(ReportCollectorError) {
        let bytes: [UInt8]
        do throws(CertificateError) {
            bytes = try RegularFile.read(path, limit: Self.fileLimit)
        } catch {
            throw ReportCollectorError(.unusableToken, error.reason)
        }
        try self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// Whether the value of an `Authorization` field shows this token (RFC 6750, 2.1). Takes as long for a nearly right
    /// token as for a wrong one.
    func isShown(by authorization: String?) -> Bool {
        guard let authorization, authorization.utf8.count <= Self.fileLimit else { return false }
        let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        // Digests compare in constant time, and tell nothing about what they were made of.
        return SHA256.hash(data: Array(parts[1].utf8)) == digest
    }

    public var description: String { "<reader token>" }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension String.UTF8View {
    fileprivate var trimmingASCIISpace: Substring.UTF8View {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        var rest = self[...]
        while let first = rest.first, isSpace(first) { rest = rest.dropFirst() }
        while let last = rest.last, isSpace(last) { rest = rest.dropLast() }
        return rest
    }
}
