package import HoldfastTrust

extension TrustFinding.Code {
    /// The codes that may label a metric or a span. The type is open, so an app's own evaluator may use other codes.
    package static let labelled = Set(ranking)

    /// The code as a metric label: one of a fixed list, or `other`.
    package var label: String { Self.labelled.contains(self) ? rawValue : "other" }
}
