public import HoldfastTrust

/// The settings that decide which servers the chat trusts.
///
/// With ``trustedCertificates``, their keys replace the system's verification. A server passes if the key of its own
/// certificate is listed, or the key of a CA to which that certificate is linked by verified signatures. Without them,
/// the system decides. List at least two certificates: the current one and the next.
///
/// A policy (``init(policy:foreignOriginTrust:)``) adds pins to the system's verification, with a rule for each host.
/// It can be report-only, be replaced while the chat is connected (``init(policies:foreignOriginTrust:)``), and come in
/// signed bundles (``init(bundles:foreignOriginTrust:)``).
public struct SSLPinningConfig: Hashable, Sendable {
    /// Accepts any server, including an attacker. `false` by default; ignored while ``trustedCertificates`` is not
    /// empty.
    ///
    /// Never use it in production. While it is in effect, the SDK logs an error at start and at each connection, and
    /// reports it in `ChatConnectionState.security` and the effective configuration.
    public var allowUntrustedSSLCertificate: Bool
    /// The certificates whose keys are trusted. Empty by default: the system's verification decides.
    ///
    /// Unreadable certificates are skipped. If all are unreadable, every connection is refused with the finding
    /// `noUsablePins`.
    public var trustedCertificates: [ChatSSLCertificate]
    /// Whether the server's certificate must also be valid for the host.
    ///
    /// `.automatic`, the default, requires it if the key of a CA matched, because any customer of that CA could
    /// otherwise impersonate the server (RFC 6125). A match on the server's own key needs no further check. `.never` is
    /// the behavior that the original chat SDK documents.
    public var hostnameVerification: PinnedKeysOnly.HostnameVerification

    /// Trust for third-party hosts: servers of absolute addresses in messages that ``ChatTransportConfig`` does not
    /// name. By default the same certificates. The chat's credentials and headers are never sent to these hosts.
    public var foreignOriginTrust: ChatForeignOriginTrust

    /// The certificate transparency logs, for rules of the policy that require certificate timestamps. `nil` by
    /// default: the hosts of these rules are refused with the finding `logListMissing`. Without a policy, the logs have
    /// no effect.
    ///
    /// The app keeps the holder and replaces the list there. Holdfast downloads no list. Two configurations are equal
    /// only with the same holder.
    public var logs: TransparencyLogHolder? {
        get { logSource?.holder }
        set { logSource = newValue.map(IdentifiedLogs.init) }
    }

    /// The inputs of the system's verification for certificate policies (RFC 5280, 6.1.1), with and without pins. By
    /// default every policy is acceptable.
    ///
    /// They have no effect where ``trustedCertificates`` replace the system's verification, and none on third-party
    /// hosts with ``ChatForeignOriginTrust/system``.
    public var certificatePolicies = CertificatePolicyInputs.anyPolicy

    /// The source of the policy; `nil` if there is none.
    let policySource: PolicySource?
    private var sink: IdentifiedSink?
    private var logSource: IdentifiedLogs?

    /// The policy that is currently in effect; `nil` for a configuration without one.
    public var policy: PinningPolicy? { policySource?.policy }

    /// Receives every verdict on the chat's servers and on third-party hosts, for example to report pin failures. `nil`
    /// by default. With a report-only policy, mismatches are sent here and are also logged.
    ///
    /// Called from any thread while a connection is being opened. Two configurations are equal only if one is a copy of
    /// the other with the same sink.
    public var trustEventSink: (any TrustEventSink)? {
        get { sink?.sink }
        set { sink = newValue.map(IdentifiedSink.init) }
    }

    /// Creates the settings. The defaults are the documented ones: the system's verification.
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

    /// Verifies servers with a policy: the pins of the host's rule, in addition to the system's verification. The
    /// system's verification alone decides about a host without a rule, unless the policy refuses such hosts.
    ///
    /// A rule with `enforcement: .reportOnly` accepts a server with another key, and logs and reports it. If
    /// ``trustedCertificates`` are set as well, a server must pass both checks.
    ///
    /// - Parameters:
    ///   - policy: The policy. To replace it later, use ``init(policies:foreignOriginTrust:)``.
    ///   - foreignOriginTrust: Trust for third-party hosts; by default the same policy.
    public init(policy: PinningPolicy, foreignOriginTrust: ChatForeignOriginTrust = .sameCertificates) {
        self.init(.fixed(policy), foreignOriginTrust)
    }

    /// Verifies servers with the policy that `policies` currently holds. Replacing the policy verifies the open
    /// connections again, including the chat's socket, and closes those that the new policy refuses.
    ///
    /// - Parameters:
    ///   - policies: The holder of the policy. The app keeps it and replaces the policy there.
    ///   - foreignOriginTrust: Trust for third-party hosts; by default the same policy.
    public init(policies: PolicyHolder, foreignOriginTrust: ChatForeignOriginTrust = .sameCertificates) {
        self.init(.live(policies, nil), foreignOriginTrust)
    }

    /// Verifies servers with the policy of the newest signed bundle. An accepted bundle takes effect at once: the open
    /// connections are verified again, including the chat's socket, and those that it refuses are closed.
    ///
    /// The app restores the bundle from the disk before it creates the SDK, and fetches new ones with
    /// `PinBundleFetcher` of HoldfastTransport. The SDK does neither.
    ///
    /// - Parameters:
    ///   - bundles: The holder of the bundle.
    ///   - foreignOriginTrust: Trust for third-party hosts; by default the same policy.
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

    /// Requires these certificates. Throws ``SSLPinningConfigError`` if the list is empty or a certificate cannot be
    /// read.
    ///
    /// With this initializer, a file that is missing from the bundle cannot disable pinning.
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

/// Trust for third-party hosts: servers that an operator's message or a picture refers to by an absolute address.
public enum ChatForeignOriginTrust: String, Hashable, Sendable, CaseIterable {
    /// The same certificates as for the chat's own servers. A file on a third-party host is fetched only if that host
    /// presents one of their keys.
    case sameCertificates
    /// The system's verification: files are fetched from any host that the system trusts.
    case system
}

/// Wraps a sink and compares it by identity.
final class IdentifiedSink: Hashable, Sendable {
    let sink: any TrustEventSink

    init(_ sink: any TrustEventSink) {
        self.sink = sink
    }

    static func == (left: IdentifiedSink, right: IdentifiedSink) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// Wraps the holder of a list of logs and compares it by identity.
struct IdentifiedLogs: Hashable, Sendable {
    let holder: TransparencyLogHolder

    init(_ holder: TransparencyLogHolder) {
        self.holder = holder
    }

    static func == (left: IdentifiedLogs, right: IdentifiedLogs) -> Bool { left.holder === right.holder }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(holder)) }
}

/// A list of certificates that ``SSLPinningConfig/init(requiring:hostnameVerification:)`` refuses.
///
/// - Remedy: Add readable DER certificates. `ChatSSLCertificate(loading:)` throws for each unreadable file.
public struct SSLPinningConfigError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and safe as a metric label. More kinds may be added: compare with the constants,
    /// and handle unknown values.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name of the code.
        public let rawValue: String
        /// Creates a code with the given name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name of the code.
        public var description: String { rawValue }

        /// The list is empty, so nothing would be pinned.
        public static let noCertificates = Code(rawValue: "noCertificates")
        /// At least one certificate could not be read.
        public static let unreadableCertificates = Code(rawValue: "unreadableCertificates")
    }

    /// One certificate that could not be read.
    public struct Unreadable: Hashable, Sendable {
        /// The path of the file that it was read from.
        public var source: String
        /// The reason why it could not be read.
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

    /// A textual description, for logs.
    public var description: String {
        switch code {
        case .noCertificates: "The list of trusted certificates is empty, but pinning is required."
        case .unreadableCertificates: unreadable.map { "\($0.source): \($0.error.reason)" }.joined(separator: " ")
        default: "The trusted certificates cannot be used (\(code))."
        }
    }
}

/// The source of the chat's policy. Replaceable sources are compared by identity.
enum PolicySource: Hashable, Sendable {
    case fixed(PinningPolicy)
    /// The bundle holder is stored to keep it alive.
    case live(PolicyHolder, BundleHolder?)

    /// The policy that is currently in effect.
    var policy: PinningPolicy {
        switch self {
        case .fixed(let policy): policy
        case .live(let holder, _): holder.snapshot.policy
        }
    }

    /// Returns the context that verifies servers with the policy.
    func context(
        anchors: TrustAnchors, logs: TransparencyLogHolder?, _ policies: CertificatePolicyInputs
    ) -> TrustContext {
        switch self {
        case .fixed(let policy): .policy(policy, anchors: anchors, logs: logs, certificatePolicies: policies)
        case .live(let holder, _): .policies(holder, anchors: anchors, logs: logs, certificatePolicies: policies)
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
