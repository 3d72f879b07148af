/// A protection that a new policy removes, with the permission that the removal requires.
struct PolicyLoss: Hashable, Sendable, CustomStringConvertible {
    /// The kind of loss.
    enum Kind: Hashable, Sendable {
        /// A denied key is allowed again.
        case allowsDeniedKey(Pin)
        /// Anchors that the old policy replaced are trusted again.
        case trustsOtherAnchors
        /// A certificate becomes a trust anchor.
        case addsAnchor(subject: String)
        /// Pins are disabled for a local anchor.
        case bypassesPinsForAnchor(subject: String)
        /// Verdicts no longer report that pins are disabled for a local anchor.
        case silencesBypass(subject: String)
        /// The new policy has no pins, denied keys or anchors.
        case asksForNothing
        /// Pins no longer apply.
        case opens(PolicyOutcome.Opening)
        /// A host that was refused is allowed without pins.
        case admits(PolicyOutcome.Opening)
        /// A pin mismatch is only reported instead of refused.
        case onlyReports
        /// A pin mismatch is only reported for a host that was refused.
        case onlyReportsOnRefused
        /// A path needs fewer matches, or no longer needs a match in a certain place.
        case needsFewerMatches(String)
        /// A refused host becomes reachable through a local anchor without a pin.
        case bypassesPins
        /// Certificate timestamps are no longer required, or fewer are.
        case dropsTransparency
        /// Missing certificate timestamps are only reported instead of refused.
        case onlyReportsTransparency
    }

    /// The kind of loss.
    var kind: Kind
    /// The affected hosts, or `nil` if the policy as a whole loses the protection.
    var region: HostRegion?
    /// The time from which the protection is lost.
    var time: Timestamp
    /// Whether the protection is lost immediately rather than at a later time.
    var isImmediate: Bool

    /// The permission that a bundle needs for this loss.
    var permission: BundlePermissions {
        switch kind {
        case .allowsDeniedKey, .asksForNothing, .opens, .admits, .needsFewerMatches, .dropsTransparency: .unpin
        case .trustsOtherAnchors, .addsAnchor, .bypassesPinsForAnchor, .silencesBypass, .bypassesPins: .anchors
        case .onlyReports, .onlyReportsOnRefused, .onlyReportsTransparency: .reportOnly
        }
    }

    /// The loss as a clause about a bundle, such as "it no longer pins example.com".
    var description: String { isImmediate ? sentence : "from \(time) on, \(sentence)" }

    private var sentence: String {
        let hosts = region?.description ?? "every host"
        switch kind {
        case .allowsDeniedKey(let pin): return "it no longer denies \(pin)"
        case .trustsOtherAnchors: return "it trusts anchors again that the policy in force replaced"
        case .addsAnchor(let subject): return "it adds the trust anchor \(subject)"
        case .bypassesPinsForAnchor(let subject): return "it disables pins for the local anchor \(subject)"
        case .silencesBypass(let subject): return "it no longer reports that pins are disabled for \(subject)"
        case .asksForNothing: return "it has no rules, denied keys or anchors"
        case .opens(.excluded): return "it excludes \(hosts) from pinning"
        case .opens(.expired): return "its pins for \(hosts) have expired"
        case .opens(.disabled), .opens(.unlisted): return "it no longer pins \(hosts)"
        case .admits(.expired):
            return "it allows \(hosts), which the policy in force refuses, because its pins have expired"
        case .admits: return "it allows \(hosts), which the policy in force refuses, without pins"
        case .onlyReports: return "it only reports pin mismatches for \(hosts)"
        case .onlyReportsOnRefused:
            return "it only reports pin mismatches for \(hosts), which the policy in force refuses"
        case .needsFewerMatches(let lost): return "it no longer requires \(lost) for \(hosts)"
        case .dropsTransparency: return "it no longer requires the same certificate timestamps for \(hosts)"
        case .onlyReportsTransparency: return "it only reports missing certificate timestamps for \(hosts)"
        case .bypassesPins:
            return "it allows \(hosts), which the policy in force refuses, through local anchors without pins"
        }
    }
}
