/// Why the machine's own roots cannot be had.
public struct SystemRootsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable {
        /// Not one usable root was found where the roots should be.
        case noRoots
        /// The platform verifies system trust itself, and hands no roots out.
        case notUsedOnThisPlatform
    }

    /// The kind of failure.
    public var code: Code
    /// The files and folders that were looked at.
    public var searched: [String]
    /// What was found there and could not be used.
    public var skipped: [SkippedRoot]
    /// One sentence for a person, with the remedy.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, searched: [String] = [], skipped: [SkippedRoot] = [], reason: String) {
        self.code = code
        self.searched = searched
        self.skipped = skipped
        self.reason = reason
    }

    public var description: String { reason }
}
