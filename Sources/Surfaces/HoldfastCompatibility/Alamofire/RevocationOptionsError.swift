/// A ``RevocationTrustEvaluator`` was asked for something that cannot be honoured.
public struct RevocationOptionsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The options that cannot be honoured, by name.
    public var options: [String]
    /// One sentence.
    public var reason: String

    public var description: String { "\(options.joined(separator: ", ")): \(reason)" }
}
