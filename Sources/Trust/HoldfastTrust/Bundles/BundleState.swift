/// Decides which policy is in force and whether a bundle may replace it. A value type that does not access files or
/// clocks.
///
/// The version can only increase: the highest version wins, and the embedded policy has a version too. After its
/// `notAfter`, a bundle stays in force and counts as stale. A fallback to an older policy would be a rollback that an
/// attacker could cause by blocking updates.
public struct BundleState: Sendable {
    /// The origin of the policy in force.
    public enum Origin: Hashable, Sendable {
        /// The policy was built into the app.
        case embedded
        /// The policy came from a bundle.
        case bundle(VerifiedBundle)
    }

    /// The result of offering a bundle.
    public enum Acceptance: Hashable, Sendable {
        /// The bundle is now in force and must be stored.
        case taken
        /// The bundle was already in force.
        case unchanged
    }

    /// The keys that may sign bundles.
    public let keys: [BundleKey]
    /// The application for which bundles must be made.
    public let application: String
    /// The protections that a bundle may remove.
    public let permissions: BundlePermissions
    /// The version in force.
    public private(set) var version: Int64
    /// The policy in force.
    public private(set) var policy: PinningPolicy
    /// The origin of the policy in force.
    public private(set) var origin: Origin
    private var digest: SHA256Hash?
    /// The embedded policy. Two bundles in sequence must not remove protection that a single bundle may not remove.
    private let floor: PinningPolicy

    /// Creates a state with the embedded policy. Without a stored bundle, its version is the minimum version.
    public init(
        embedded: PinningPolicy, version: Int64, keys: [BundleKey], application: String,
        permissions: BundlePermissions = []
    ) {
        self.policy = embedded
        self.floor = embedded
        self.version = version
        self.keys = keys
        self.application = application
        self.permissions = permissions
        self.origin = .embedded
    }

    /// Offers a fetched bundle.
    ///
    /// - Throws: ``BundleError`` if the bundle is refused. The state does not change.
    @discardableResult
    public mutating func offer(_ bytes: [UInt8], at time: Timestamp) throws(BundleError) -> Acceptance {
        let bundle = try SignedBundle(bytes).verify(keys: keys, application: application)
        if bundle.version == version, bundle.digest == digest { return .unchanged }
        guard time >= bundle.notBefore else {
            throw BundleError(.notYetValid, "Version \(bundle.version) is not valid before \(bundle.notBefore).")
        }
        guard time <= bundle.notAfter else {
            throw BundleError(.expired, "Version \(bundle.version) was valid until \(bundle.notAfter).")
        }
        try take(bundle, at: time)
        return .taken
    }

    /// Restores the stored copy. It is verified like any other bundle, except that its validity may have ended.
    @discardableResult
    public mutating func restore(_ bytes: [UInt8], at time: Timestamp) throws(BundleError) -> Acceptance {
        let bundle = try SignedBundle(bytes).verify(keys: keys, application: application)
        if bundle.version == version, bundle.digest == digest { return .unchanged }
        try take(bundle, at: time)
        return .taken
    }

    private mutating func take(_ bundle: VerifiedBundle, at time: Timestamp) throws(BundleError) {
        guard bundle.version >= version else {
            throw BundleError(
                .rollback, "Version \(bundle.version) is older than version \(version), which is in force.")
        }
        guard bundle.version > version else {
            throw BundleError(.versionReused, "Version \(version) is already in force with other contents.")
        }
        for former in [policy, floor] {
            if let loss = PolicyWeakening.found(from: former, to: bundle.policy, at: time, allowing: permissions) {
                throw BundleError(.weakensPolicy, "Version \(bundle.version) removes protection: \(loss).")
            }
        }
        policy = bundle.policy
        version = bundle.version
        digest = bundle.digest
        origin = .bundle(bundle)
    }

    /// Returns whether the policy in force came from a bundle whose validity has ended.
    public func isStale(at time: Timestamp) -> Bool {
        if case .bundle(let bundle) = origin { bundle.isStale(at: time) } else { false }
    }
}

/// What a bundle may do in addition to changing pins. The default is nothing: otherwise an attacker with the signing
/// key could turn pinning off.
public struct BundlePermissions: OptionSet, Hashable, Sendable {
    /// The raw value.
    public let rawValue: UInt8
    /// Creates an option set from its raw value.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The bundle may exclude pinned hosts, remove denied keys, or allow unlisted hosts.
    public static let unpin = BundlePermissions(rawValue: 1)
    /// The bundle may turn an enforced rule into a report-only rule.
    public static let reportOnly = BundlePermissions(rawValue: 2)
    /// The bundle may add trust anchors, or disable pins for them.
    public static let anchors = BundlePermissions(rawValue: 4)
}
