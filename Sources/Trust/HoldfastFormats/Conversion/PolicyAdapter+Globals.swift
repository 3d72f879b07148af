import HoldfastTrust

extension PolicyAdapter {
    /// What belongs to no rule.
    mutating func reportGlobals(writing domains: [AdaptedDomain]) {
        if !document.denied.isEmpty { reportDenied(writing: domains) }
        if let anchors = document.anchors {
            if anchors.replaceOthers {
                report.error(
                    "anchors-lost", "only the policy's own trust anchors counted; the machine's would count again",
                    "anchors", nil)
            } else {
                report.warning("anchors-lost", "trust anchors cannot be expressed", "anchors", nil)
            }
        }
        if document.semantics.requiresRuleForEveryHost {
            report.error(
                "unlisted-hosts-lost", "hosts without a rule would no longer be refused", "unlistedHosts", nil)
        }
        if target != .chromium, document.pinSets.contains(where: { !$0.pins.isEmpty }) {
            report.note("names-lost", "the names of pin sets are not written", "pinSets", nil)
        }
        let pins = document.domains.lazy.flatMap(\.pins)
        let shared = document.pinSets.lazy.flatMap(\.pins)
        if pins.contains(where: { $0.comment != nil }) || shared.contains(where: { $0.comment != nil }) {
            report.note("comments-lost", "comments are not written", "", nil)
        }
        if target == .chromium {
            report.note(
                "key-names", "hashes stand in the place of key names, which Chromium keeps in a second file", "", nil)
        }
    }

    private mutating func reportDenied(writing domains: [AdaptedDomain]) {
        guard can.denies, domains.contains(where: { !$0.isExcluded }) else {
            return report.error("deny-lost", "denied keys cannot be expressed: they would be accepted", "deny", nil)
        }
        report.warning("deny-narrowed", "the keys are denied only for the hosts that are listed", "deny", nil)
        if document.denied.contains(where: { $0.pin.map { $0.domain != .spki } ?? false }) {
            report.error("deny-lost", "a denied hash of something else than an SPKI cannot be expressed", "deny", nil)
        }
    }
}
