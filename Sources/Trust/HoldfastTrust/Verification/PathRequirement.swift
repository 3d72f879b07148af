/// What a mode asks of a path beyond its validity.
///
/// Judging and explaining are apart: a search may judge thousands of paths, and explains one.
struct PathRequirement {
    /// What comes of a path, the best first.
    enum Answer: Int, Comparable {
        /// All that is asked for.
        case met
        /// Something is missing. Where nothing is enforced such a path will do.
        case unmet
        /// Never to be used.
        case forbidden

        static func < (lhs: Answer, rhs: Answer) -> Bool { lhs.rawValue < rhs.rawValue }
    }

    /// Judges a valid path. Has to be cheap.
    var judge: (VerifiedPath) -> Answer
    /// Says why a path does not meet the requirement; `nil` if it does.
    var explain: (VerifiedPath) -> TrustFinding?

    /// Nothing.
    static var none: PathRequirement { PathRequirement(judge: { _ in .met }, explain: { _ in nil }) }
}
