public import HoldfastTrust

/// A policy in another format, and what did not survive.
public struct ConversionResult: Hashable, Sendable {
    /// The text; `nil` if nothing could be written.
    public var text: String?
    /// What was found when reading, then what the target cannot express. An error means that a host or a key would lose its
    /// protection, or that there is no text.
    public var report: [PolicyDiagnostic]

    /// Whether something would lose its protection.
    public var losesProtection: Bool { report.contains { $0.severity == .error } }
}
