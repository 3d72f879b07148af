import Crypto
import HoldfastSystem
import HoldfastTrust

/// What a reader or an operator must show, as `Authorization: Bearer …`. Only its digest is kept.
package struct BearerToken<Failure: ServerError>: Sendable {
    /// Bytes that a token must have at least: 128 bits in hexadecimal are 32, in base64 22.
    package static var minimumBytes: Int { 16 }
    private static var maximumBytes: Int { 4_096 }

    private let digest: SHA256Digest

    /// Takes a token: printable ASCII without spaces. Whitespace around the token is ignored.
    ///
    /// Throws ``ServerFailure/Code/unusableToken``. The reason does not hold the token.
    package init(_ text: String) throws(Failure) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let token = Array(Array(text.utf8).drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        guard token.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(.unusableToken, "A token is one line of printable ASCII without spaces.")
        }
        guard (Self.minimumBytes...Self.maximumBytes).contains(token.count) else {
            throw Failure(
                .unusableToken,
                "A token has \(Self.minimumBytes) to \(Self.maximumBytes) characters; `openssl rand -hex 32` makes a "
                    + "good one.")
        }
        digest = SHA256.hash(data: token)
    }

    /// Reads a token from a file. Blocks the calling thread.
    package init(file path: String) throws(Failure) {
        let bytes: [UInt8]
        do throws(RegularFile.Failure) {
            bytes = try RegularFile.read(path, limit: Self.maximumBytes)
        } catch {
            throw Failure(.unusableToken, error.reason(at: path), path: path)
        }
        try self.init(String(decoding: bytes, as: UTF8.self))
    }

    /// Whether the value of an `Authorization` field shows this token (RFC 6750, 2.1). Takes as long for a nearly right
    /// token as for a wrong one.
    package func isShown(by authorization: String?) -> Bool {
        guard let authorization, authorization.utf8.count <= Self.maximumBytes * 2 else { return false }
        let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        // Digests compare in constant time, and tell nothing about what they were made of.
        return SHA256.hash(data: Array(parts[1].utf8)) == digest
    }
}
