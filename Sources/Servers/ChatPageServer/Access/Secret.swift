import Crypto
import HoldfastBase
import ServerKit

/// Random texts that prove a right: one-time tokens and cookies. Only their digests are stored.
enum Secret {
    /// The digest of a secret.
    typealias Digest = SHA256Digest

    /// The number of random bytes of a secret.
    static let byteCount = 32
    /// The number of characters of a secret's text.
    static let textLength = byteCount * 2

    /// Returns a new secret as hexadecimal digits.
    static func make(_ random: (Int) -> [UInt8]) -> String { random(byteCount).hexadecimal }

    /// Returns the digest of a secret; `nil` if the text cannot be a secret.
    static func digest(_ text: some StringProtocol) -> Digest? {
        guard text.utf8.count == textLength else { return nil }
        return SHA256.hash(data: Array(text.utf8))
    }
}

/// The key of a server for the texts that it must recognize later without storing them. It exists only in memory.
struct ServerKey: Sendable {
    private let key: SymmetricKey

    /// Creates a key from random bytes.
    init(_ random: (Int) -> [UInt8]) {
        key = SymmetricKey(data: random(32))
    }

    /// Returns the authentication code of a text for a purpose, as hexadecimal digits.
    func code(_ purpose: String, _ text: String) -> String {
        // The length separates the purpose from the text.
        let message = Array("\(purpose.utf8.count):\(purpose)\(text)".utf8)
        return Array(HMAC<SHA256>.authenticationCode(for: message, using: key)).hexadecimal
    }

    /// Returns whether a text has this code for a purpose. Takes the same time for every wrong code.
    func isValid(_ code: String, _ purpose: String, _ text: String) -> Bool {
        ConstantTime.equals(code, self.code(purpose, text))
    }
}
