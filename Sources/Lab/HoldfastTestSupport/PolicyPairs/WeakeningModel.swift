package import HoldfastTrust

/// Finds out which permissions a new policy needs to replace an old one, by trying every host and every instant at which the
/// two could differ.
///
/// This is an independent statement of what HoldfastTrust must refuse when a signed bundle replaces a policy.
/// `docs/bundles.md` describes the rule. It is slow and complete; nothing in it is shared with the code that it checks.
package struct WeakeningModel {
    /// One protection that the new policy takes back.
    package struct Loss: Hashable, Sendable, CustomStringConvertible {
        /// The permission that it needs.
        package var permission: BundlePermissions
        /// The host, if the loss concerns one.
        package var host: CanonicalHost?
        /// The instant, if the loss concerns a host.
        package var time: Timestamp?
        /// What the old policy asked for, and what the new one asks for.
        package var reason: String

        package var description: String {
            let place = host.map { " at \($0)" } ?? ""
            let instant = time.map { ", \($0)" } ?? ""
            return "\(WeakeningModel.name(of: permission)): \(reason)\(place)\(instant)"
        }
    }

    /// The permissions that the new policy needs, whichever the pair has.
    package let needed: BundlePermissions
    /// Every loss; one host and instant for each combination of permission and reason.
    package let losses: [Loss]

    /// Judges a pair.
    package init(_ pair: PolicyPair) {
        var judge = Judge(pair)
        judge.compareDenied()
        judge.compareAnchors()
        judge.requireContent()
        judge.compareHosts()
        losses = judge.losses
        needed = judge.losses.reduce(into: []) { $0.formUnion($1.permission) }
    }

    /// Whether the new policy may replace the old one.
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
