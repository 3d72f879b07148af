import HoldfastTrust

extension FindingKind {
    /// The findings of conversions between formats.
    static let converting: [FindingKind] = [
        FindingKind(
            .ruleLost, [.error],
            "No pin of a rule can be written: its hosts would not be pinned.",
            remedy: "Pin the hash of a SubjectPublicKeyInfo."),
        FindingKind(
            .pinLost, [.warning],
            "A pin cannot be expressed: it is not an SPKI hash, or it is for a CA and the target compares only leaves.",
            remedy: "Pin the key of the same certificate."),
        FindingKind(
            .depthWidened, [.warning],
            "The rule covers more hosts than before.",
            remedy: "Check the additional hosts."),
        FindingKind(
            .depthNarrowed, [.error],
            "Subdomains at deeper levels are no longer pinned.",
            remedy: "List these hosts individually."),
        FindingKind(
            .scopeWidened, [.warning],
            "Pins for a leaf or a CA match any certificate of the path.",
            remedy: "None, if this is acceptable."),
        FindingKind(
            .scopeNarrowed, [.warning],
            "Pins match only the server's own key.",
            remedy: "Check that the server's key is among them."),
        FindingKind(
            .scopeChosen, [.warning],
            "Pins without a scope become CA or leaf identities.",
            remedy: "Give the pins a scope before converting."),
        FindingKind(
            .everyScopeLost, [.warning],
            "One match is enough where a certain scope, or several scopes, had to match.",
            remedy: "Keep the pins of the scope that matters."),
        FindingKind(
            .bothScopesNeeded, [.warning],
            "A leaf and a CA must both match, where one match was enough.",
            remedy: "Keep the pins of one scope."),
        FindingKind(
            .backupPinNeeded, [.warning],
            "The target refuses a rule with this number of pins.",
            remedy: "Add a backup pin."),
        FindingKind(
            .expiryLost, [.warning],
            "The pins do not expire in the target.",
            remedy: "Plan the next release before their original expiry."),
        FindingKind(
            .expiryRounded, [.warning],
            "The pins expire at the beginning of the next day.",
            remedy: "None, if this is acceptable."),
        FindingKind(
            .ageChosen, [.warning, .note],
            "The header requires a max-age; sixty days are written.",
            remedy: "Change it in the header."),
        FindingKind(
            .reportOnlyLost, [.warning],
            "A mismatch was only reported, and will now be refused.",
            remedy: "Remove the rule, or check the pins first."),
        FindingKind(
            .reportURIsLost, [.warning],
            "Report URIs cannot be expressed.",
            remedy: "Keep only URIs that the target supports."),
        FindingKind(
            .exclusionLost, [.error, .warning],
            "A host cannot be excluded; for curl, there is nothing to write.",
            remedy: "Do not include subdomains in the parent's rule."),
        FindingKind(
            .exclusionNarrowed, [.warning],
            "Fewer hosts are excluded than before.",
            remedy: "Exclude the others by name."),
        FindingKind(
            .needlessExclusion, [.note],
            "An excluded host is not covered by any rule, and is not written.",
            remedy: "Remove it."),
        FindingKind(
            .entryWithoutPins, [.note],
            "An entry without pins has no effect where entries are combined, and is not written.",
            remedy: "Remove it."),
        FindingKind(
            .precedenceFlattened, [.note],
            "Rules that were combined become separate rules with the same effect.",
            remedy: "None."),
        FindingKind(
            .precedenceChanged, [.warning],
            "Other rules apply to a host than before.",
            remedy: "Check the host with holdfast explain."),
        FindingKind(
            .refusalLost, [.error],
            "Another rule overrides a rule that refused every connection.",
            remedy: "Remove the hosts from the other rule."),
        FindingKind(
            .merged, [.warning],
            "Two rules for one host are merged, with the pins of both.",
            remedy: "Check the host with holdfast explain."),
        FindingKind(
            .denyLost, [.error],
            "Denied keys would be accepted.",
            remedy: "Keep Holdfast's format if keys must be denied."),
        FindingKind(
            .denyNarrowed, [.warning],
            "Keys are denied only for the listed hosts.",
            remedy: "Keep Holdfast's format if keys must be denied."),
        FindingKind(
            .unlistedHostsLost, [.error],
            "Hosts without a rule would no longer be refused.",
            remedy: "Keep Holdfast's format."),
        FindingKind(
            .anchorsLost, [.error, .warning],
            "Trust anchors cannot be expressed; an error if they replaced the system's anchors.",
            remedy: "Configure the anchors in the target's own way."),
        FindingKind(
            .severalHosts, [.error],
            "The target describes one host, but the policy has several.",
            remedy: "Choose one with --host."),
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
            "The names of pin sets are not written.",
            remedy: "None."),
        FindingKind(
            .commentsLost, [.note],
            "Comments are not written.",
            remedy: "None."),
        FindingKind(
            .transparencyLost, [.error],
            "Certificate timestamps would no longer be required.",
            remedy: "Keep the policy in Holdfast's format."),
        FindingKind(
            .transparencyChanged, [.warning],
            "The requirement of certificate timestamps becomes that of the target.",
            remedy: "None, if Chrome's policy is acceptable."),
        FindingKind(
            .keyNames, [.note],
            "Hashes are written instead of Chromium's key names.",
            remedy: "None, unless Chromium itself must read the file."),
    ]
}
