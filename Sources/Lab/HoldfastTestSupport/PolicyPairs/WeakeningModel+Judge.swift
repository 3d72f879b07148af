import HoldfastTrust

extension WeakeningModel {
    /// Compares the parts of two policies and collects the lost protection.
    struct Judge {
        private let pair: PolicyPair
        private var seen: Set<Loss> = []
        private(set) var losses: [Loss] = []

        init(_ pair: PolicyPair) {
            self.pair = pair
        }

        private mutating func lose(
            _ permission: BundlePermissions, _ reason: String, host: CanonicalHost? = nil, time: Timestamp? = nil
        ) {
            guard seen.insert(Loss(permission: permission, reason: reason)).inserted else { return }
            losses.append(Loss(permission: permission, host: host, time: time, reason: reason))
        }

        // MARK: - The policies as a whole

        /// Every key denied in a scope must still be denied there.
        mutating func compareDenied() {
            for place in [Pin.Scope.leaf, .ca] {
                let old = denied(by: pair.old, at: place)
                let new = denied(by: pair.new, at: place)
                if !old.isSubset(of: new) { lose(.unpin, "a key is no longer denied at \(place.rawValue)") }
            }
        }

        private func denied(by policy: PinningPolicy, at place: Pin.Scope) -> Set<Pin> {
            let pins = policy.denied.pins.filter { $0.scope == .any || $0.scope == place }
            return Set(pins.map { Pin($0.sha256, domain: $0.domain, scope: place) })
        }

        /// Every anchor of the new policy must have been an anchor with the same or a weaker effect on pins.
        mutating func compareAnchors() {
            let old = pair.old.anchors
            let new = pair.new.anchors
            if old?.replaceOthers == true, new?.replaceOthers != true {
                lose(.anchors, "the machine's anchors apply again")
            }
            for certificate in new?.certificates ?? [] {
                guard let old, old.certificates.contains(certificate) else {
                    lose(.anchors, "an anchor is added")
                    if bypasses(new) { lose(.anchors, "pins are bypassed for an added anchor") }
                    continue
                }
                if weight(of: new) > weight(of: old) {
                    lose(.anchors, "pins are bypassed for an anchor, or bypassed silently")
                }
            }
        }

        private func bypasses(_ anchors: LocalAnchors?) -> Bool { weight(of: anchors) > 0 }

        /// Returns how much an anchor weakens pins.
        private func weight(of anchors: LocalAnchors?) -> Int {
            switch anchors?.pinning {
            case nil, .enforced: 0
            case .dangerouslyBypassedAndReported: 1
            case .dangerouslyBypassed: 2
            }
        }

        /// A policy without any requirement needs a permission, whatever it replaces.
        mutating func requireContent() {
            let new = pair.new
            let isActive = new.disabledReason == nil
            let asksHosts =
                isActive
                && (new.requiresRuleForEveryHost || new.rules.contains { !$0.isExcluded || $0.transparency != nil })
            // An empty list adds nothing to the machine's anchors. If it replaces them, nothing is trusted.
            let hasAnchors = new.anchors.map { !$0.certificates.isEmpty || $0.replaceOthers } ?? false
            if !asksHosts, new.denied.pins.isEmpty, !hasAnchors {
                lose(.unpin, "the new policy has no requirement")
            }
        }

        // MARK: - Hosts

        mutating func compareHosts() {
            let policies = [pair.old, pair.new]
            let times = PolicyRegions.times(of: policies, from: pair.now)
            let old = PolicyModel(pair.old)
            let new = PolicyModel(pair.new)
            for host in PolicyRegions.hosts(of: policies) {
                let oldRules = old.covering(host)
                let newRules = new.covering(host)
                if new.outcome(of: newRules, at: pair.now) != .refused {
                    compare(old.transparency(of: oldRules), new.transparency(of: newRules), host.host)
                }
                for time in times {
                    compare(old.outcome(of: oldRules, at: time), new.outcome(of: newRules, at: time), host.host, time)
                }
            }
        }

        /// Each old requirement must have a new one that treats every certificate at least as strictly.
        private mutating func compare(
            _ old: Set<TransparencyRequirement>, _ new: Set<TransparencyRequirement>, _ host: CanonicalHost
        ) {
            for requirement in old where !new.contains(where: { TimestampCase.covers($0, requirement) }) {
                var reported = requirement
                reported.enforcement = .reportOnly
                if new.contains(where: { TimestampCase.covers($0, reported) }) {
                    lose(.reportOnly, "missing certificate timestamps are only reported", host: host, time: pair.now)
                } else {
                    lose(.unpin, "certificate timestamps are no longer required", host: host, time: pair.now)
                }
            }
        }

        private mutating func compare(
            _ old: PolicyModel.Outcome, _ new: PolicyModel.Outcome, _ host: CanonicalHost, _ time: Timestamp
        ) {
            switch (old, new) {
            case (.open, _), (_, .refused): break
            case (.refused, .open(let reason)), (.pinned(_), .open(let reason)):
                lose(.unpin, "the host is no longer protected (\(reason))", host: host, time: time)
            case (.refused, .pinned(let demand)):
                if demand.isReported { lose(.reportOnly, "a refused host is only reported", host: host, time: time) }
                if let anchors = pair.new.anchors, !anchors.certificates.isEmpty, bypasses(anchors) {
                    lose(.anchors, "an anchor that bypasses pins permits a refused host", host: host, time: time)
                }
            case (.pinned(let before), .pinned(let after)):
                if before.isBlocking, after.isReported {
                    lose(.reportOnly, "failed pins are only reported", host: host, time: time)
                }
                if !after.isAtLeastAsHigh(as: before) {
                    lose(.unpin, "the new pins require fewer matches, or match in more places", host: host, time: time)
                }
            }
        }
    }
}

extension PolicyModel.Demand {
    /// Whether a connection without a match is only reported.
    var isReported: Bool { !isEnforced && !isEmpty }
    /// Whether a connection without a match is refused.
    var isBlocking: Bool { !isReported }

    /// Returns whether this demand is at least as strict: each match that `other` requires must correspond to a
    /// different match of this demand that is at least as narrow.
    ///
    /// A demand that no path can match requires nothing of its successor, and is at least as strict as every other one.
    func isAtLeastAsHigh(as other: PolicyModel.Demand) -> Bool {
        if isImpossible || other.isImpossible { return true }
        return PolicyModel.Demand.canAssign(other.groups.map(Self.places)[...], to: groups.map(Self.places))
    }

    /// Returns the scopes in which a set of pins may match.
    private static func places(of pins: Set<Pin>) -> Set<Pin.Scope> {
        pins.reduce(into: []) { places, pin in places.formUnion(pin.scope == .any ? [.leaf, .ca] : [pin.scope]) }
    }

    private static func canAssign(_ old: ArraySlice<Set<Pin.Scope>>, to new: [Set<Pin.Scope>]) -> Bool {
        guard let first = old.first else { return true }
        return new.indices.contains { place in
            guard new[place].isSubset(of: first) else { return false }
            var rest = new
            rest.remove(at: place)
            return canAssign(old.dropFirst(), to: rest)
        }
    }
}
