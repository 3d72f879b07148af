/// Which policy is in force, and what it takes for a bundle to replace it. A value; nothing in it reads a file or a
/// clock.
///
/// The version can only grow. The highest version wins, and the embedded policy has a version too. After its `notAfter`
/// a bundle stays in force and counts as stale: falling back to something older would be a rollback that anyone could
/// cause who keeps updates away.
public struct BundleState: Sendable {
    /// Where the policy in force came from.
    public enum Origin: Hashable, Sendable {
        /// It was built into the app.
        case embedded
        /// It came in a bundle.
        case bundle(VerifiedBundle)
    }

    /// What became of a bundle that was offered.
    public enum Acceptance: Hashable, Sendable {
        /// It is in force now and is to be kept.
        case taken
        /// It was in force already.
        case unchanged
    }

    /// The keys that may sign.
    public let keys: [BundleKey]
    /// The application that bundles must be for.
    public let application: String
    /// What a bundle may take back.
    public let permissions: BundlePermissions
    /// The version in force.
    public private(set) var version: Int64
    /// The policy in force.
    public private(set) var policy: PinningPolicy
    /// Where it came from.
    public private(set) var origin: Origin
    private var digest: SHA256Hash?
    /// The embedded policy. Two bundles must not take back together what one of them may not.
    private let floor: PinningPolicy

    /// Starts with the embedded policy. Without any state on the disk its version is the least that is taken.
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

    /// Offers a bundle that was just fetched. Throws ``BundleError`` and changes nothing unless all is well with it.
    @discardableResult
    public mutating func offer(_ bytes: [UInt8], at time: Timestamp) throws(BundleError) -> Acceptance {
        let bundle = try SignedBundle(bytes).verify(keys: keys, application: application)
        if bundle.version == version, bundle.digest == digest { return .unchanged }
        guard time >= bundle.notBefore else {
            throw BundleError(.notYetValid, "Version \(bundle.version) is valid from \(bundle.notBefore) on.")
        }
        guard time <= bundle.notAfter else {
            throw BundleError(.expired, "Version \(bundle.version) was valid until \(bundle.notAfter).")
        }
        try take(bundle, at: time)
        return .taken
    }

    /// Takes up the copy that was kept on the disk. It is verified like any other; only its time may be over.
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
            throw BundleError(.versionReused, "Version \(version) is in force with other contents.")
        }
        for former in [policy, floor] {
            if let loss = PolicyWeakening.found(from: former, to: bundle.policy, at: time, allowing: permissions) {
                throw BundleError(.weakensPolicy, "Version \(bundle.version) takes protection back: \(loss).")
            }
        }
        policy = bundle.policy
        version = bundle.version
        digest = bundle.digest
        origin = .bundle(bundle)
    }

    /// Whether the policy in force came in a bundle that has outlived its freshness.
    public func isStale(at time: Timestamp) -> Bool {
        if case .bundle(let bundle) = origin { bundle.isStale(at: time) } else { false }
    }
}

/// What a bundle may do beyond changing pins. Nothing, unless the app says so: whoever gets hold of the signing key could
/// otherwise switch pinning off.
public struct BundlePermissions: OptionSet, Hashable, Sendable {
    public let rawValue: UInt8
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// Leave hosts out that were pinned, take back denied keys, or let unlisted hosts through.
    public static let unpin = BundlePermissions(rawValue: 1)
    /// Turn a rule that enforces into one that only reports.
    public static let reportOnly = BundlePermissions(rawValue: 2)
    /// Bring trust anchors along, or switch pins off for them.
    public static let anchors = BundlePermissions(rawValue: 4)
}
