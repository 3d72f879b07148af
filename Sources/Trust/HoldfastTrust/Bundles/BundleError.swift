/// Why a bundle was not taken. Whatever the reason, the policy in force stays in force.
public struct BundleError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// More bytes than a bundle may have.
        case tooLarge
        /// The bytes are no bundle.
        case malformed
        /// No key of the set has the bundle's key id.
        case unknownKey
        /// The bundle names another algorithm than its key has.
        case algorithmMismatch
        /// The signature is not the key's.
        case badSignature
        /// The bundle is for another application.
        case wrongApplication
        /// Its time has not come.
        case notYetValid
        /// Its time is over.
        case expired
        /// A newer version is in force.
        case rollback
        /// The same version is in force with other contents.
        case versionReused
        /// The policy inside cannot be honoured.
        case invalidPolicy
        /// The bundle takes back protection, which needs a permission.
        case weakensPolicy
        /// The copy on the disk could not be read or written.
        case storage
    }

    /// The kind of failure.
    public var code: Code
    /// One sentence for a person.
    public var reason: String
    /// What is wrong with the policy inside, where that is the reason.
    public var problems: [PolicyError.Problem]

    /// Makes an error.
    public init(_ code: Code, _ reason: String, problems: [PolicyError.Problem] = []) {
        self.code = code
        self.reason = reason
        self.problems = problems
    }

    public var description: String {
        ([reason] + problems.map { "  \($0)" }).joined(separator: "\n")
    }
}
