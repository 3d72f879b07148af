/// The reason why a bundle was refused. The policy in force stays in force.
///
/// - Remedy: The policy in force stays. Check the bundle with `holdfast bundle verify`, and publish a corrected one.
public struct BundleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. Codes are stable and safe as metric labels. New codes may be added, so compare with the
    /// constants and handle unknown codes.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        /// The bundle exceeds the maximum size.
        public static let tooLarge = Code(rawValue: "tooLarge")
        /// The bytes are not a valid bundle.
        public static let malformed = Code(rawValue: "malformed")
        /// The key id of the bundle is not in the key set.
        public static let unknownKey = Code(rawValue: "unknownKey")
        /// The algorithm of the bundle differs from that of its key.
        public static let algorithmMismatch = Code(rawValue: "algorithmMismatch")
        /// The signature does not match the key.
        public static let badSignature = Code(rawValue: "badSignature")
        /// The bundle is for another application.
        public static let wrongApplication = Code(rawValue: "wrongApplication")
        /// The bundle is not yet valid.
        public static let notYetValid = Code(rawValue: "notYetValid")
        /// The bundle has expired.
        public static let expired = Code(rawValue: "expired")
        /// A newer version is in force.
        public static let rollback = Code(rawValue: "rollback")
        /// The same version is already in force with other contents.
        public static let versionReused = Code(rawValue: "versionReused")
        /// The policy in the bundle is not valid.
        public static let invalidPolicy = Code(rawValue: "invalidPolicy")
        /// The bundle removes protection without the required permission.
        public static let weakensPolicy = Code(rawValue: "weakensPolicy")
        /// A stage of the roll-out, or the roll-out as a whole, covers no installation.
        public static let emptyCohort = Code(rawValue: "emptyCohort")
        /// The share of a stage is not between 0 and 100 %.
        public static let shareOutOfRange = Code(rawValue: "shareOutOfRange")
        /// The roll-out has too many stages.
        public static let tooManyStages = Code(rawValue: "tooManyStages")
        /// A bundle with a roll-out removes protection for its cohorts. No permission allows that.
        public static let cohortWeakensPolicy = Code(rawValue: "cohortWeakensPolicy")
        /// The halt has ended.
        public static let haltExpired = Code(rawValue: "haltExpired")
        /// A halt with the same or a higher serial number is already known.
        public static let haltReplayed = Code(rawValue: "haltReplayed")
        /// The halt lasts longer than a halt may last.
        public static let haltTooLong = Code(rawValue: "haltTooLong")
        /// The halt was issued after the time of this device.
        public static let haltFromFuture = Code(rawValue: "haltFromFuture")
        /// The timestamp was issued after the time of this device.
        public static let timestampFromFuture = Code(rawValue: "timestampFromFuture")
        /// The validity of the timestamp has ended.
        public static let timestampTooOld = Code(rawValue: "timestampTooOld")
        /// The timestamp is valid for longer than a timestamp may be.
        public static let timestampTooLong = Code(rawValue: "timestampTooLong")
        /// A later timestamp is already known.
        public static let timestampReplayed = Code(rawValue: "timestampReplayed")
        /// The timestamp names a known version with other contents.
        public static let timestampMismatch = Code(rawValue: "timestampMismatch")
        /// The copy on disk could not be read or written.
        public static let storage = Code(rawValue: "storage")
    }

    /// The kind of failure.
    public var code: Code
    /// A human-readable sentence.
    public var reason: String
    /// The problems of the policy in the bundle, if they are the reason.
    public var problems: [PolicyError.Problem]

    /// Creates an error.
    public init(_ code: Code, _ reason: String, problems: [PolicyError.Problem] = []) {
        self.code = code
        self.reason = reason
        self.problems = problems
    }

    /// The reason as text.
    public var description: String {
        ([reason] + problems.map { "  \($0)" }).joined(separator: "\n")
    }
}
