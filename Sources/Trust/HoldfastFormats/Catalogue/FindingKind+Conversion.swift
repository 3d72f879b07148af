import HoldfastTrust

extension FindingKind {
    /// What a conversion finds.
    static let converting: [FindingKind] = [
        FindingKind(
            .ruleLost, [.error],
            "No pin of a rule can be written: its hosts would not be pinned.",
            remedy: "Pin the hash of a SubjectPublicKeyInfo."),
        FindingKind(
            .pinLost, [.warning],
            "A pin cannot be expressed: it is not the hash of a SubjectPublicKeyInfo, or is for a CA where leaves are compared.",
            remedy: "Pin the key of the same certificate."),
        FindingKind(
            .depthWidened, [.warning],
            "The rule covers more hosts than before.",
            remedy: "Check the hosts that come in."),
        FindingKind(
            .depthNarrowed, [.error],
            "Hosts further below are no longer pinned.",
            remedy: "Name them one by one."),
        FindingKind(
            .scopeWidened, [.warning],
            "Pins for a leaf or a CA match anywhere on the path.",
            remedy: "Nothing, if that will do."),
        FindingKind(
            .scopeNarrowed, [.warning],
            "Pins match the server's own key alone.",
            remedy: "Check that the server's key is among them."),
        FindingKind(
            .scopeChosen, [.warning],
            "Pins that matched anywhere become CA or leaf identities.",
            remedy: "Give the pins a scope before converting."),
        FindingKind(
            .everyScopeLost, [.warning],
            "One match will do where a certain one, or several, were needed.",
            remedy: "Keep the pins of the scope that matters."),
        FindingKind(
            .bothScopesNeeded, [.warning],
            "A leaf and a CA must both match, where one would do.",
            remedy: "Keep the pins of one scope."),
        FindingKind(
            .backupPinNeeded, [.warning],
            "The target refuses a rule with so few pins.",
            remedy: "Add a backup pin."),
        FindingKind(
            .expiryLost, [.warning],
            "The pins never end in the target.",
            remedy: "Plan the next release before they would have ended."),
        FindingKind(
            .expiryRounded, [.warning],
            "The pins end at the beginning of the next day.",
            remedy: "Nothing, if that will do."),
        FindingKind(
            .ageChosen, [.warning, .note],
            "The header needs a max-age, and sixty days are written.",
            remedy: "Change it in the header."),
        FindingKind(
            .reportOnlyLost, [.warning],
            "A mismatch was only reported, and will be refused.",
            remedy: "Take the rule out, or check the pins first."),
        FindingKind(
            .reportURIsLost, [.warning],
            "Report URIs cannot be expressed.",
            remedy: "Keep those that the target can hold."),
        FindingKind(
            .exclusionLost, [.error, .warning],
            "A host cannot be left out; for curl, nothing is left to write.",
            remedy: "Do not include subdomains in the parent's rule."),
        FindingKind(
            .exclusionNarrowed, [.warning],
            "Fewer hosts are left out than before.",
            remedy: "Exclude the others by name."),
        FindingKind(
            .needlessExclusion, [.note],
            "A host is left out of nothing, and is not written.",
            remedy: "Take it out."),
        FindingKind(
            .entryWithoutPins, [.note],
            "An entry pins nothing where entries add up, and is left out.",
            remedy: "Take it out."),
        FindingKind(
            .precedenceFlattened, [.note],
            "Rules that added up become rules of which one counts, with the same effect.",
            remedy: "Nothing."),
        FindingKind(
            .precedenceChanged, [.warning],
            "Other rules count for a host than before.",
            remedy: "Check the host with holdfast explain."),
        FindingKind(
            .refusalLost, [.error],
            "A rule that let nothing pass is overruled by another.",
            remedy: "Take the hosts out of the other rule."),
        FindingKind(
            .merged, [.warning],
            "Two rules for one host become one, with the pins of both.",
            remedy: "Check the host with holdfast explain."),
        FindingKind(
            .denyLost, [.error],
            "Denied keys would be accepted.",
            remedy: "Keep Holdfast's format where keys are denied."),
        FindingKind(
            .denyNarrowed, [.warning],
            "Keys are denied only for the hosts that are listed.",
            remedy: "Keep Holdfast's format where keys are denied."),
        FindingKind(
            .unlistedHostsLost, [.error],
            "Hosts without a rule would no longer be refused.",
            remedy: "Keep Holdfast's format."),
        FindingKind(
            .anchorsLost, [.error, .warning],
            "Trust anchors cannot be expressed; an error where they were the only ones.",
            remedy: "Give them to the target in its own way."),
        FindingKind(
            .severalHosts, [.error],
            "The target holds for one host, and the policy has several.",
            remedy: "Choose one: --host."),
        FindingKind(
            .noRule, [.error],
            "No rule covers the host.",
            remedy: "Choose another host, or add a rule."),
        FindingKind(
            .otherHosts, [.warning],
            "Only the rule of one host is written.",
            remedy: "Convert once for each host."),
        FindingKind(
            .namesLost, [.note],
            "Names of pin sets are not written.",
            remedy: "Nothing."),
        FindingKind(
            .commentsLost, [.note],
            "Comments are not written.",
            remedy: "Nothing."),
        FindingKind(
            .keyNames, [.note],
            "Hashes stand in the place of Chromium's key names.",
            remedy: "Nothing, unless Chromium itself shall read the file."),
    ]
}
