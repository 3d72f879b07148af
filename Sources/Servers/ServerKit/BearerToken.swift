import Crypto
import HoldfastSystem
import HoldfastTrust

/// A token that readers or operators send as `Authorization: Bearer …`. Only its digest is stored.
package struct BearerToken<Failure: ServerError>: Sendable {
    /// The minimum length of a token in bytes: 128 bits are 32 hexadecimal digits, or 22 base64 characters.
    package static var minimumBytes: Int { 16 }
    /// The maximum length of a token in bytes.
    ///
    /// - Error: `ReportCollectorError.Code.unusableToken`
    private static var maximumBytes: Int { 4_096 }

    private let digest: SHA256Digest

    /// Creates a token from printable ASCII without spaces. Surrounding white space is removed.
    ///
    /// Throws ``ServerFailure/Code/unusableToken``. The reason does not contain the token.
    package init(_ text: String) throws(Failure) {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || (0x09...0x0D).contains($0) }
        let token = Array(Array(text.utf8).drop(while: isSpace).reversed().drop(while: isSpace).reversed())
        guard token.allSatisfy({ (0x21...0x7E).contains($0) }) else {
            throw Failure(.unusableToken, "A token must be one line of printable ASCII without spaces.")
        }
        guard (Self.minimumBytes...Self.maximumBytes).contains(token.count) else {
            throw Failure(
                .unusableToken,
                "A token must have \(Self.minimumBytes) to \(Self.maximumBytes) characters. Create one with "
                    + "openssl rand -hex 32.")
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

    /// Returns whether an `Authorization` value contains this token (RFC 6750, section 2.1). Takes the same time for
    /// every wrong token.
    package func isShown(by authorization: String?) -> Bool {
        guard let authorization, authorization.utf8.count <= Self.maximumBytes * 2 else { return false }
        let parts = authorization.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts[0].lowercased() == "bearer" else { return false }
        // Digests are compared in constant time and reveal nothing about their input.
        return SHA256.hash(data: Array(parts[1].utf8)) == digest
    }
}
