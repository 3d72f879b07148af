package import HoldfastTrust

/// A policy in force, its replacement, and the permissions of the replacement.
package struct PolicyPair: Sendable, CustomStringConvertible {
    /// The policy in force.
    package var old: PinningPolicy
    /// The replacement.
    package var new: PinningPolicy
    /// The permissions of the replacement.
    package var permissions: BundlePermissions
    /// The time of the replacement.
    package var now: Timestamp
    /// The generator's changes to the old policy, for failure messages.
    package var changes: [String]

    /// Creates a pair.
    package init(
        old: PinningPolicy, new: PinningPolicy, permissions: BundlePermissions = [], now: Timestamp,
        changes: [String] = []
    ) {
        self.old = old
        self.new = new
        self.permissions = permissions
        self.now = now
        self.changes = changes
    }

    /// Both policies, rule by rule.
    package var description: String {
        let lines = [
            "now \(now), permissions \(permissions.rawValue), changes: \(changes.joined(separator: ", "))", "old:",
        ]
        return (lines + PolicyPair.lines(of: old) + ["new:"] + PolicyPair.lines(of: new)).joined(separator: "\n")
    }

    private static func lines(of policy: PinningPolicy) -> [String] {
        var lines = ["  precedence \(policy.precedence.rawValue), refuses unlisted \(policy.requiresRuleForEveryHost)"]
        if let reason = policy.disabledReason { lines.append("  disabled: \(reason)") }
        if !policy.denied.isEmpty { lines.append("  denied: \(text(of: policy.denied))") }
        if let anchors = policy.anchors {
            lines.append(
                "  anchors: \(anchors.certificates.map(\.subject)), alone \(anchors.replaceOthers), "
                    + "\(anchors.pinning.rawValue)"
            )
        }
        return lines
            + policy.rules.map { rule in
                var words = ["  \(rule.pattern):"]
                if rule.isExcluded { words.append("excluded") }
                if rule.enforcement == .reportOnly { words.append("report-only") }
                if let expires = rule.expires { words.append("until \(expires)") }
                if rule.everyScopeMustMatch { words.append("every scope") }
                if !rule.requiredScopes.isEmpty {
                    words.append("requires \(rule.requiredScopes.map(\.rawValue).sorted())")
                }
                if let transparency = rule.transparency { words.append("timestamps \(transparency)") }
                words.append(text(of: rule.pins))
                return words.joined(separator: " ")
            }
    }

    private static func text(of pins: PinSet) -> String {
        "[" + pins.sorted.map { "\($0.base64.prefix(4)) \($0.scope.rawValue)" }.joined(separator: ", ") + "]"
    }
}
