package import HoldfastTrust

extension TrustFinding.Code {
    /// The codes that label a metric or a span. The type is open, and an evaluator of the app's may make up a code.
    package static let labelled = Set(ranking)

    /// The code as a label: one of a fixed list, or `other`.
    package var label: String { Self.labelled.contains(self) ? rawValue : "other" }
}
