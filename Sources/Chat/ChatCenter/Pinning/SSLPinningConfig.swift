public import HoldfastTrust

/// Which servers the chat trusts.
///
/// With ``trustedCertificates``, their keys take the place of the system's verification: the server passes if the key of
/// its own certificate, or of a CA that it is linked to by verified signatures, is one of the listed ones. Without, the
/// system decides. List at least two certificates, the current one and the next.
///
/// A policy (``init(policy:foreignOriginTrust:)``) pins *beside* the system's verification, for each host by its own rule.
/// It can be report-only, be replaced while the chat is connected (``init(policies:foreignOriginTrust:)``), and come in
/// signed bundles (``init(bundles:foreignOriginTrust:)``).
public struct SSLPinningConfig: Hashable, Sendable {
    /// Accepts any server, an attacker too. `false` by default; ignored while ``trustedCertificates`` is not empty.
    ///
    /// Never for production. While it is in force the SDK says so: an error line at start and at each connection,
    /// ``ChatConnectionState/security`` and the effective configuration.
    public var allowUntrustedSSLCertificate: Bool
    /// The certificates whose keys are trusted. Empty by default: the system's verification decides.
    ///
    /// Unreadable ones are skipped; a list of nothing else refuses every connection with the finding `noUsablePins`.
    public var trustedCertificates: [ChatSSLCertificate]
    /// Whether the server's certificate must also be valid for the host.
    ///
    /// `.automatic`, the default, asks for it where a CA's key matched, since any customer of that CA could impersonate
    /// the server otherwise (RFC 6125); a match on the server's own key needs nothing more. `.never` is the behaviour
    /// that the modelled product documents.
    public var hostnameVerification: PinnedKeysOnly.HostnameVerification

    /// Who judges servers of absolute addresses in messages that are none of ``ChatTransportConfig``'s. By default the
    /// same certificates; no credential and no header of the chat goes to them in any case.
    public var foreignOriginTrust: ChatForeignOriginTrust

    /// Where the policy comes from; `nil` where there is none.
    let policySource: PolicySource?
    private var sink: IdentifiedSink?

    /// The policy in force now; `nil` for a configuration without one.
    public var policy: PinningPolicy? { policySource?.policy }

    /// Receives every verdict on a server of the chat and on foreign servers: a reporter of failed pins, for example. `nil`
    /// by default. With a report-only policy this is where mismatches go; they are logged, too.
    ///
    /// Called on the path of a connection, from any thread. Two configurations are equal only if one is a copy of the other
    /// with the same sink.
    public var trustEventSink: (any TrustEventSink)? {
        get { sink?.sink }
        set { sink = newValue.map(IdentifiedSink.init) }
    }

    /// Puts the settings together; the defaults are the documented ones, that is the system's verification.
    public init(
        allowUntrustedSSLCertificate: Bool = false, trustedCertificates: [ChatSSLCertificate] = [],
        hostnameVerification: PinnedKeysOnly.HostnameVerification = .automatic,
        foreignOriginTrust: ChatForeignOriginTrust = .sameCertificates
    ) {
        self.allowUntrustedSSLCertificate = allowUntrustedSSLCertificate
        self.trustedCertificates = trustedCertificates
        self.hostnameVerification = hostnameVerification
        self.foreignOriginTrust = foreignOriginTrust
        policySource = nil
    }

    /// Judges servers by a policy: the pins of the host's rule, beside the system's verification. A host without a rule is
    /// left to the system's verification, unless the policy refuses such hosts.
    ///
    /// A rule with `enforcement: .reportOnly` lets a server with another key in, and logs and reports it. If
    /// ``trustedCertificates`` are set as well, a server needs both.
    ///
    /// - Parameters:
    ///   - policy: The policy. To replace it later use ``init(policies:foreignOriginTrust:)``.
    ///   - foreignOriginTrust: Who judges servers that are not the chat's own; by default the same policy.
    public init(policy: PinningPolicy, foreignOriginTrust: ChatForeignOriginTrust = .sameCertificates) {
        self.init(.fixed(policy), foreignOriginTrust)
    }

    /// Judges servers by the policy that `policies` holds at the moment. Replacing it judges the open connections again, the
    /// chat's socket included, and closes those that the new policy refuses.
    ///
    /// - Parameters:
    ///   - policies: Where the policy is taken from; the app keeps it, and replaces the policy there.
    ///   - foreignOriginTrust: Who judges servers that are not the chat's own; by default the same policy.
    public init(policies: PolicyHolder, foreignOriginTrust: ChatForeignOriginTrust = .sameCertificates) {
        self.init(.live(policies, nil), foreignOriginTrust)
    }

    /// Judges servers by the policy of the newest signed bundle. A bundle that is taken is in force at once: the open
    /// connections are judged again, the chat's socket included, and those that it refuses are closed.
    ///
    /// The app restores the bundle that is kept on the disk before it makes the SDK, and fetches new ones with
    /// `PinBundleFetcher` of HoldfastTransport: the SDK does neither.
    ///
    /// - Parameters:
    ///   - bundles: Where the policy is taken from.
    ///   - foreignOriginTrust: Who judges servers that are not the chat's own; by default the same policy.
    public init(bundles: BundleHolder, foreignOriginTrust: ChatForeignOriginTrust = .sameCertificates) {
        self.init(.live(bundles.policies, bundles), foreignOriginTrust)
    }

    private init(_ source: PolicySource, _ foreignOriginTrust: ChatForeignOriginTrust) {
        allowUntrustedSSLCertificate = false
        trustedCertificates = []
        hostnameVerification = .automatic
        self.foreignOriginTrust = foreignOriginTrust
        policySource = source
    }

    /// Requires these certificates: throws ``SSLPinningConfigError`` if there are none, or if one cannot be read.
    ///
    /// With this initialiser a file that is missing from the bundle cannot switch pinning off.
    public init(
        requiring certificates: [ChatSSLCertificate],
        hostnameVerification: PinnedKeysOnly.HostnameVerification = .automatic
    ) throws(SSLPinningConfigError) {
        guard !certificates.isEmpty else { throw SSLPinningConfigError(.noCertificates) }
        let unreadable = certificates.filter { $0.loadError != nil }
        guard unreadable.isEmpty else { throw SSLPinningConfigError(.unreadableCertificates, unreadable: unreadable) }
        self.init(trustedCertificates: certificates, hostnameVerification: hostnameVerification)
    }
}

/// A list of certificates that ``SSLPinningConfig/init(requiring:hostnameVerification:)`` refuses.
public struct SSLPinningConfigError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// The list is empty: nothing would be pinned.
        public static let noCertificates = Code(rawValue: "noCertificates")
        /// At least one certificate could not be read.
        public static let unreadableCertificates = Code(rawValue: "unreadableCertificates")
    }

    /// One certificate that could not be read.
    public struct Unreadable: Hashable, Sendable {
        /// Where it came from.
        public var source: String
        /// Why it could not be read.
        public var error: CertificateError
    }

    /// The kind of failure.
    public var code: Code
    /// The certificates that could not be read.
    public var unreadable: [Unreadable]

    init(_ code: Code, unreadable: [ChatSSLCertificate] = []) {
        self.code = code
        self.unreadable = unreadable.compactMap { certificate in
            certificate.loadError.map { Unreadable(source: certificate.source, error: $0) }
        }
    }

    public var description: String {
        switch code {
        case .noCertificates: "Pinning was required, but the list of trusted certificates is empty."
        case .unreadableCertificates: unreadable.map { "\($0.source): \($0.error.reason)" }.joined(separator: " ")
        default: "The trusted certificates cannot be used (\(code))."
        }
    }
}

/// Who judges servers that are none of the chat's own: where an operator's message or a picture points to by an absolute
/// address.
public enum ChatForeignOriginTrust: String, Hashable, Sendable, CaseIterable {
    /// The same certificates as for the chat's own servers. A file elsewhere is fetched only if that server shows one of
    /// their keys.
    case sameCertificates
    /// The system's verification: files may lie with anybody whom the system trusts.
    case system
}

/// Where the chat's policy comes from. Those that can change are told apart by their identity.
enum PolicySource: Hashable, Sendable {
    case fixed(PinningPolicy)
    /// The holder of the bundles is kept alive with its policies.
    case live(PolicyHolder, BundleHolder?)

    /// The policy in force now.
    var policy: PinningPolicy {
        switch self {
        case .fixed(let policy): policy
        case .live(let holder, _): holder.snapshot.policy
        }
    }

    /// What judges by it.
    func context(anchors: TrustAnchors) -> TrustContext {
        switch self {
        case .fixed(let policy): .policy(policy, anchors: anchors)
        case .live(let holder, _): .policies(holder, anchors: anchors)
        }
    }

    static func == (left: PolicySource, right: PolicySource) -> Bool {
        switch (left, right) {
        case (.fixed(let left), .fixed(let right)): left == right
        case (.live(let left, let bundles), .live(let right, let others)): left === right && bundles === others
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .fixed(let policy): hasher.combine(policy)
        case .live(let holder, _): hasher.combine(ObjectIdentifier(holder))
        }
    }
}

/// A sink in a value that can be compared.
final class IdentifiedSink: Hashable, Sendable {
    let sink: any TrustEventSink

    init(_ sink: any TrustEventSink) {
        self.sink = sink
    }

    static func == (left: IdentifiedSink, right: IdentifiedSink) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
