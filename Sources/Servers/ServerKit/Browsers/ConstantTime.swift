import Crypto

/// Comparisons whose time reveals nothing about an expected secret.
package enum ConstantTime {
    /// Returns whether two texts are equal. Takes the same time for every wrong text of a length, because digests are
    /// compared in constant time and reveal nothing about their input.
    package static func equals(_ text: String, _ expected: String) -> Bool {
        SHA256.hash(data: Array(text.utf8)) == SHA256.hash(data: Array(expected.utf8))
    }
}
