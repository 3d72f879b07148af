import ArgumentParser
import HoldfastTrust

/// Reads the arguments of the bundle commands that are more than text.
enum BundleArgument {
    /// An instant, or a date for its first second in UTC.
    static func time(_ text: String) throws -> Timestamp {
        guard let time = Timestamp(iso8601: text) else {
            throw ValidationError("'\(text)' is no time: write 2031-03-15T12:00:00Z or 2031-03-15")
        }
        return time
    }

    /// The name of an algorithm.
    static func algorithm(_ text: String) throws -> BundleAlgorithm {
        guard let algorithm = BundleAlgorithm(rawValue: text) else {
            throw ValidationError("'\(text)' is not an algorithm for bundles: use ed25519 or es256")
        }
        return algorithm
    }
}
