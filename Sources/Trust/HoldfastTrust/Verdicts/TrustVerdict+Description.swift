extension TrustVerdict: CustomStringConvertible {
    /// What a developer wants to read in a log: the decision and its reason, what was seen, what was expected.
    public var description: String {
        let host = subject.map { subject in
            subject.host.text + (subject.port.map { ":\($0)" } ?? "")
        }
        var lines = [
            "\(decision.rawValue) \(host ?? "(no host)") [\(policyName)] \(finding.code): \(finding.reason)"
        ]
        if let systemFinding, systemFinding != finding {
            lines.append("  system verification: \(systemFinding)")
        }
        if let path {
            lines.append("  verified path:")
            lines += path.certificates.map { "    \($0.spkiDigest) \($0.subject)" }
        } else if !presentedHashes.isEmpty {
            lines.append("  presented, not verified:")
            lines += presentedHashes.map { "    \($0)" }
        }
        if !finding.facts.expectedPins.isEmpty {
            lines.append("  expected one of:")
            lines += finding.facts.expectedPins.map {
                "    \($0)\($0.scope == .any ? "" : " (\($0.scope.rawValue) only)")"
            }
        }
        lines += unreadable.map { "  certificate \($0.index) was skipped: \($0.error.reason)" }
        lines += notices.map { "  also: \($0)" }
        lines.append("  at \(time)" + (duration == .zero ? "" : ", took \(duration)"))
        return lines.joined(separator: "\n")
    }
}
