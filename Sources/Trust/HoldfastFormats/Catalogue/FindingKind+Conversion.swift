import HoldfastTrust

extension FindingKind {
    /// What a conversion finds.
    static let converting: [FindingKind] = [
        FindingKind(
            "rule-lost", [.error],
            "No pin of a rule can be written: its hosts would not be pinned.",
            remedy: "Pin the hash of a SubjectPublicKeyInfo."),
        FindingKind(
            "pin-lost", [.warning],
            "A pin cannot be expressed: it is not the hash of a SubjectPublicKeyInfo, or is for a CA where leaves are compared.",
            remedy: "Pin the key of the same certificate."),
        FindingKind(
            "depth-widened", [.warning],
            "The rule covers more hosts than before.",
            remedy: "Check the hosts that come in."),
        FindingKind(
            "depth-narrowed", [.error],
            "Hosts further below are no longer pinned.",
            remedy: "Name them one by one."),
        FindingKind(
            "scope-widened", [.warning],
            "Pins for a leaf or a CA match anywhere on the path.",
            remedy: "Nothing, if that will do."),
        FindingKind(
            "scope-narrowed", [.warning],
            "Pins match the server's own key alone.",
            remedy: "Check that the server's key is among them."),
        FindingKind(
            "scope-chosen", [.warning],
            "Pins that matched anywhere become CA or leaf identities.",
            remedy: "Give the pins a scope before converting."),
        FindingKind(
            "every-scope-lost", [.warning],
            "One match will do where a certain one, or several, were needed.",
            remedy: "Keep the pins of the scope that matters."),
        FindingKind(
            "both-scopes-needed", [.warning],
            "A leaf and a CA must both match, where one would do.",
            remedy: "Keep the pins of one scope."),
        FindingKind(
            "backup-pin-needed", [.warning],
            "The target refuses a rule with so few pins.",
            remedy: "Add a backup pin."),
        FindingKind(
            "expiry-lost", [.warning],
            "The pins never end in the target.",
            remedy: "Plan the next release before they would have ended."),
        FindingKind(
            "expiry-rounded", [.warning],
            "The pins end at the beginning of the next day.",
            remedy: "Nothing, if that will do."),
        FindingKind(
            "age-chosen", [.warning, .note],
            "The header needs a max-age, and sixty days are written.",
            remedy: "Change it in the header."),
        FindingKind(
            "report-only-lost", [.warning],
            "A mismatch was only reported, and will be refused.",
            remedy: "Take the rule out, or check the pins first."),
        FindingKind(
            "report-uris-lost", [.warning],
            "Report URIs cannot be expressed.",
            remedy: "Keep those that the target can hold."),
        FindingKind(
            "exclusion-lost", [.error, .warning],
            "A host cannot be left out; for curl, nothing is left to write.",
            remedy: "Do not include subdomains in the parent's rule."),
        FindingKind(
            "exclusion-narrowed", [.warning],
            "Fewer hosts are left out than before.",
            remedy: "Exclude the others by name."),
        FindingKind(
            "needless-exclusion", [.note],
            "A host is left out of nothing, and is not written.",
            remedy: "Take it out."),
        FindingKind(
            "entry-without-pins", [.note],
            "An entry pins nothing where entries add up, and is left out.",
            remedy: "Take it out."),
        FindingKind(
            "precedence-flattened", [.note],
            "Rules that added up become rules of which one counts, with the same effect.",
            remedy: "Nothing."),
        FindingKind(
            "precedence-changed", [.warning],
            "Other rules count for a host than before.",
            remedy: "Check the host with holdfast explain."),
        FindingKind(
            "refusal-lost", [.error],
            "A rule that let nothing pass is overruled by another.",
            remedy: "Take the hosts out of the other rule."),
        FindingKind(
            "merged", [.warning],
            "Two rules for one host become one, with the pins of both.",
            remedy: "Check the host with holdfast explain."),
        FindingKind(
            "deny-lost", [.error],
            "Denied keys would be accepted.",
            remedy: "Keep Holdfast's format where keys are denied."),
        FindingKind(
            "deny-narrowed", [.warning],
            "Keys are denied only for the hosts that are listed.",
            remedy: "Keep Holdfast's format where keys are denied."),
        FindingKind(
            "unlisted-hosts-lost", [.error],
            "Hosts without a rule would no longer be refused.",
            remedy: "Keep Holdfast's format."),
        FindingKind(
            "anchors-lost", [.error, .warning],
            "Trust anchors cannot be expressed; an error where they were the only ones.",
            remedy: "Give them to the target in its own way."),
        FindingKind(
            "several-hosts", [.error],
            "The target holds for one host, and the policy has several.",
            remedy: "Choose one: --host."),
        FindingKind(
            "no-rule", [.error],
            "No rule covers the host.",
            remedy: "Choose another host, or add a rule."),
        FindingKind(
            "other-hosts", [.warning],
            "Only the rule of one host is written.",
            remedy: "Convert once for each host."),
        FindingKind(
            "names-lost", [.note],
            "Names of pin sets are not written.",
            remedy: "Nothing."),
        FindingKind(
            "comments-lost", [.note],
            "Comments are not written.",
            remedy: "Nothing."),
        FindingKind(
            "key-names", [.note],
            "Hashes stand in the place of Chromium's key names.",
            remedy: "Nothing, unless Chromium itself shall read the file."),
    ]
}
