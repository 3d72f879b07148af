public import HoldfastTrust

/// Finds what is legal in a policy and probably a mistake. Nothing here takes part in a decision.
///
/// All functions are pure: the time, the chain and the roots come in as parameters. The codes of the findings are stable and
/// listed in `docs/formats.md`.
public enum PolicyLint {
    /// Pins that end within so many seconds are worth a warning: thirty days.
    public static let expiryNotice: Int64 = 30 * 86_400

    /// Everything to be said about a document, in the order of the file: what its reader found, what keeps it from being
    /// a policy, and what is probably a mistake. `chain` is what a server of the policy presents, its own certificate first.
    public static func check(
        _ document: PolicyDocument, at time: Timestamp, chain: PresentedChain? = nil, roots: [CertificateView] = []
    ) -> [PolicyDiagnostic] {
        guard !document.hasTooManyPins else {
            let reason = "the domains have more than \(PolicyDocument.maximumPins) pins together"
            return document.diagnostics + [PolicyDiagnostic(.error, "too-large", reason, path: "")]
        }
        var linter = Linter(document: document, time: time)
        linter.checkPins()
        linter.checkHosts()
        linter.checkReach()
        if let chain { linter.check(chain) }
        if !roots.isEmpty { linter.check(roots: roots) }
        linter.checkUsability()
        linter.checkContent()
        // What the reader found is not said again.
        let known = Set(document.diagnostics.map { [$0.code, $0.path] })
        let all = document.diagnostics + linter.findings.all.filter { !known.contains([$0.code, $0.path]) }
        let order = all.enumerated().sorted { left, right in
            let first = (left.element.position ?? .start, left.offset)
            return first < (right.element.position ?? .start, right.offset)
        }
        return order.map(\.element)
    }
}
