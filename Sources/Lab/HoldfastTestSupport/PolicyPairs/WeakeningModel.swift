package import HoldfastTrust

/// Determines which permissions a new policy needs to replace an old one, by trying every host and every time at which
/// the two could differ.
///
/// This is an independent model of what HoldfastTrust must refuse when a signed bundle replaces a policy, according to
/// `docs/bundles.md`. It is slow and complete, and shares no code with the implementation that it checks.
package struct WeakeningModel {
    /// One protection that the new policy removes.
    package struct Loss: Hashable, Sendable, CustomStringConvertible {
        /// The permission that the loss requires.
        package var permission: BundlePermissions
        /// The host, if the loss concerns one.
        package var host: CanonicalHost?
        /// The time, if the loss concerns a host.
        package var time: Timestamp?
        /// The difference between the old and the new policy, in words.
        package var reason: String

        package var description: String {
            let place = host.map { " at \($0)" } ?? ""
            let instant = time.map { ", \($0)" } ?? ""
            return "\(WeakeningModel.name(of: permission)): \(reason)\(place)\(instant)"
        }
    }

    /// The permissions that the new policy needs, regardless of those that the pair has.
    package let needed: BundlePermissions
    /// Every loss, with one host and one time for each combination of permission and reason.
    package let losses: [Loss]

    /// Evaluates a pair.
    package init(_ pair: PolicyPair) {
        var judge = Judge(pair)
        judge.compareDenied()
        judge.compareAnchors()
        judge.requireContent()
        judge.compareHosts()
        losses = judge.losses
        needed = judge.losses.reduce(into: []) { $0.formUnion($1.permission) }
    }

    /// Returns whether the new policy may replace the old one.
    package static func accepts(_ pair: PolicyPair) -> Bool {
        pair.permissions.isSuperset(of: WeakeningModel(pair).needed)
    }

    static func name(of permission: BundlePermissions) -> String {
        switch permission {
        case .unpin: "unpin"
        case .reportOnly: "reportOnly"
        case .anchors: "anchors"
        default: "permissions \(permission.rawValue)"
        }
    }
}

/// Hosts and times at which two policies could differ.
///
/// Every pattern covers exactly its host, one label below it, or any number of labels below it. Therefore two hosts at
/// the same distance below the same patterns are treated alike, and one sample of each is enough.
package enum PolicyRegions {
    /// Returns the host of each pattern and each of its parents, up to two unrelated labels below each of them, an
    /// unrelated name and unrelated addresses.
    package static func hosts(of policies: [PinningPolicy]) -> [ModelHost] {
        let named = policies.flatMap { $0.rules.map(\.host) }
        var texts: [String] = ["", "192.0.2.254", "2001:db8::fe"]
        for host in named {
            texts.append(host.text)
            guard !host.isIPLiteral else { continue }
            var rest = host.text[...]
            while let dot = rest.firstIndex(of: ".") {
                rest = rest[rest.index(after: dot)...]
                texts.append(String(rest))
            }
        }
        let label = unusedLabel(in: named)
        var result: [ModelHost] = []
        var seen: Set<CanonicalHost> = []
        for text in texts {
            for count in 0...2 {
                let below = String(repeating: label + ".", count: count) + text
                let name = text.isEmpty ? String(below.dropLast()) : below
                // A name that becomes too long with additional labels does not exist. An address has no subdomains.
                guard let host = try? CanonicalHost(name), count == 0 || !host.isIPLiteral else { continue }
                if seen.insert(host).inserted { result.append(ModelHost(host)) }
            }
        }
        return result
    }

    /// Returns `now`, and the times before, at and after each expiry of pins that is not in the past.
    package static func times(of policies: [PinningPolicy], from now: Timestamp) -> [Timestamp] {
        var times: Set<Timestamp> = [now]
        for end in policies.flatMap({ $0.rules.compactMap(\.expires) }) {
            for offset: Int64 in -1...1 {
                let time = end.advanced(bySeconds: offset)
                if time > now { times.insert(time) }
            }
        }
        return times.sorted()
    }

    /// Returns a label that no host has. It has one letter if possible, because a longer label could make a name too
    /// long.
    private static func unusedLabel(in hosts: [CanonicalHost]) -> String {
        let used = Set(hosts.flatMap { $0.text.split(separator: ".") })
        let letters = "qzjkvwxyabcdefghilmnoprstu".map(String.init)
        if let letter = letters.first(where: { !used.contains($0[...]) }) { return letter }
        return (0...used.count).lazy.map { "q\($0)" }.first { !used.contains($0[...]) } ?? "q"
    }
}
