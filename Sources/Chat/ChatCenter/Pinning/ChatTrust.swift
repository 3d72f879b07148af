import ChatCenterCore
import HoldfastBase
import HoldfastTrust

/// The trust decisions and the log lines that follow from an ``SSLPinningConfig``.
struct ChatTrust: Sendable {
    /// The rule by which servers are verified, for ``ChatConnectionState``. With a policy, it follows the current one.
    var security: ChatConnectionSecurity {
        guard securityWithoutPolicy != .refusesEverything, let policy = policySource?.policy else {
            return securityWithoutPolicy
        }
        let isReportOnly = policy.rules.allSatisfy { $0.isExcluded || $0.enforcement == .reportOnly }
        return .policy(name: policy.name, isReportOnly: isReportOnly && !policy.requiresRuleForEveryHost)
    }

    /// Returns the verification that protects connections to these hosts at a time.
    func screenSecurity(of hosts: [CanonicalHost], at time: Timestamp) -> ChatScreenSecurity {
        switch securityWithoutPolicy {
        case .unverified: return .unverified
        case .refusesEverything, .pinnedKeys: return .pinned
        case .systemTrust, .policy: break
        }
        // Certificates that are listed beside a policy are required as well.
        if !pinned.isEmpty { return .pinned }
        guard let policy = policySource?.policy, !hosts.isEmpty else { return .systemTrust }
        return hosts.allSatisfy { policy.enforcesPins(on: $0, at: time) } ? .pinned : .systemTrust
    }

    private let securityWithoutPolicy: ChatConnectionSecurity
    private let policySource: PolicySource?
    /// The listed certificates that can be read.
    let pinned: [CertificateView]
    /// The log lines about the configuration itself, written when the SDK is created.
    let notes: [ChatLogLine]
    private let judge: TrustContext
    /// Trust for third-party hosts, if it differs from the chat's own.
    private let foreignJudge: TrustContext?

    /// - Parameter anchors: The roots of the system's verification. Only tests and the command-line tool pass other
    ///   ones.
    init(_ config: SSLPinningConfig, anchors: TrustAnchors = .system) {
        var notes: [ChatLogLine] = []
        func warn(_ text: String) { notes.append(ChatLogLine([.error], text)) }
        let sink = config.trustEventSink
        policySource = config.policySource
        foreignJudge =
            config.foreignOriginTrust == .system ? TrustContext.system(anchors: anchors).reporting(to: sink) : nil
        for certificate in config.trustedCertificates {
            if let error = certificate.loadError {
                warn("SSL certificate \(certificate.source) is unusable: \(error.reason)")
            } else if let view = certificate.view {
                notes.append(
                    ChatLogLine(
                        .network,
                        "SSL certificate \(certificate.source) is trusted by its key: SPKI \(view.spkiDigest) "
                            + "(\(CertificateFile.hashCommand(for: certificate.source)))"))
            }
        }
        let usable = config.trustedCertificates.compactMap(\.view)
        self.pinned = usable

        let refusesEverything = usable.isEmpty && !config.trustedCertificates.isEmpty
        if refusesEverything {
            warn(
                "Not one of the \(config.trustedCertificates.count) trusted certificates can be read. Every connection "
                    + "is refused (noUsablePins).")
        }

        if let source = config.policySource {
            securityWithoutPolicy = refusesEverything ? .refusesEverything : .systemTrust
            var judges = [source.context(anchors: anchors, logs: config.logs, config.certificatePolicies)]
            if !config.trustedCertificates.isEmpty { judges.insert(Self.keys(config, usable), at: 0) }
            judge = Self.all(judges).reporting(to: sink)
            notes += source.policy.warnings.map { ChatLogLine([.error], "The policy: \($0.path): \($0.reason).") }
            if let reason = source.policy.disabledReason {
                warn("The policy disables pinning: \(reason)")
            }
            if config.allowUntrustedSSLCertificate {
                warn("allowUntrustedSSLCertificate is ignored because there is a policy. Remove the flag.")
            }
        } else if !config.trustedCertificates.isEmpty {
            securityWithoutPolicy = refusesEverything ? .refusesEverything : .pinnedKeys(certificates: usable.count)
            judge = Self.keys(config, usable).reporting(to: sink)
            if config.allowUntrustedSSLCertificate {
                warn(
                    "allowUntrustedSSLCertificate is ignored because trustedCertificates is not empty. Remove the flag: "
                        + "a build with an empty list would have no protection.")
            }
            if Set(usable.map(\.spkiDigest)).count == 1 {
                warn(
                    "Only one key is trusted. The chat stops when the server's key changes. List the next certificate "
                        + "beside the current one.")
            }
        } else if config.allowUntrustedSSLCertificate {
            securityWithoutPolicy = .unverified
            judge = TrustContext.dangerouslyAcceptAnyCertificate().reporting(to: sink)
            notes.append(ChatLogLine([.error], Self.unverifiedText, isLoud: true))
        } else {
            securityWithoutPolicy = .systemTrust
            judge = TrustContext.system(anchors: anchors, certificatePolicies: config.certificatePolicies)
                .reporting(to: sink)
        }
        self.notes = notes
    }

    /// Trusts the listed keys in place of the system's verification.
    private static func keys(_ config: SSLPinningConfig, _ usable: [CertificateView]) -> TrustContext {
        .pinnedKeysOnly(
            PinnedKeysOnly(
                certificates: usable, unreadableCount: config.trustedCertificates.count - usable.count,
                hostnameVerification: config.hostnameVerification))
    }

    /// Combines contexts that all must accept a server. They run concurrently. The first refusal counts, else the last
    /// verdict.
    private static func all(_ judges: [TrustContext]) -> TrustContext {
        guard judges.count > 1, let last = judges.last else { return judges.first ?? .system(anchors: .only([])) }
        return TrustContext(name: last.name, snapshot: last.readSnapshot, changes: last.policyChanges) {
            chain, subject, time in
            for judge in judges.dropLast() {
                let judgement = judge.judge(chain, for: subject, at: time)
                guard case .now(let verdict) = judgement, verdict.permitsConnection else { return judgement }
            }
            return last.judge(chain, for: subject, at: time)
        }
    }

    static let unverifiedText =
        "DANGER: allowUntrustedSSLCertificate accepts ANY server, including an attacker. Never ship this to users."

    /// Returns the context for the clients. `observer` is called on any thread with each chain and its verdict.
    func context(
        observing observer: @escaping @Sendable (PresentedChain, TrustVerdict) -> Void
    ) -> TrustContext {
        let judge = self.judge
        return TrustContext(name: judge.name, snapshot: judge.readSnapshot, changes: judge.policyChanges) {
            chain, subject, time in
            switch judge.judge(chain, for: subject, at: time) {
            case .now(let verdict):
                observer(chain, verdict)
                return .now(verdict)
            case .later(let decide):
                return .later {
                    let verdict = await decide()
                    observer(chain, verdict)
                    return verdict
                }
            }
        }
    }

    /// The context for third-party hosts.
    var foreignContext: TrustContext? { foreignJudge }

    /// Returns the log lines for one verified chain: the documented ones, with the SPKI hash beside the raw form of
    /// each key, because the raw form cannot be compared with the output of openssl.
    func lines(for chain: PresentedChain, _ verdict: TrustVerdict) -> [ChatLogLine] {
        var lines: [ChatLogLine] = []
        if security == .unverified {
            lines.append(ChatLogLine([.error], Self.unverifiedText, isLoud: true))
        }
        if !verdict.permitsConnection {
            let text =
                switch security {
                case .pinnedKeys where verdict.finding.code != .hostMismatch, .refusesEverything,
                    .policy where verdict.finding.code == .pinMismatch:
                    "SSL CERTIFICATES Pinning error - server and pinned certificates are not equals. \(verdict)"
                default: "SSL error: \(verdict)"
                }
            lines.append(ChatLogLine([.error], text))
        } else if verdict.finding.code == .pinMismatch {
            lines.append(
                ChatLogLine(
                    [.error], "SSL pins do not match. The rule is report-only: the connection is kept. \(verdict)"))
        }
        guard security != .systemTrust || !verdict.permitsConnection else { return lines }
        for certificate in chain.certificates {
            lines.append(ChatLogLine(.network, "SSL Server public key: " + Self.keyText(certificate)))
        }
        for certificate in pinned {
            lines.append(ChatLogLine(.network, "SSL Pinned certificate public key: " + Self.keyText(certificate)))
        }
        return lines
    }

    private static func keyText(_ certificate: CertificateView) -> String {
        "\(certificate.rawKey.hexadecimal) (\(certificate.keyDescription), SPKI \(certificate.spkiDigest))"
    }
}

/// The rule by which the SDK decides whether a server is trusted.
public enum ChatConnectionSecurity: Hashable, Sendable, CustomStringConvertible {
    /// The system's verification.
    case systemTrust
    /// The keys of the given number of listed certificates, in place of the system's verification.
    case pinnedKeys(certificates: Int)
    /// A policy's pins in addition to the system's verification. `isReportOnly`: no rule of the policy refuses a key;
    /// mismatches are logged and reported.
    case policy(name: String, isReportOnly: Bool)
    /// No verification: any server is accepted, including an attacker. See
    /// ``SSLPinningConfig/allowUntrustedSSLCertificate``.
    case unverified
    /// Every connection is refused, because not one of the listed certificates can be read.
    case refusesEverything

    /// A textual description, for logs.
    public var description: String {
        switch self {
        case .systemTrust: "system trust"
        case .pinnedKeys(let count): "pinned keys of \(count) certificate\(count == 1 ? "" : "s")"
        case .policy(let name, let isReportOnly):
            "system trust and the pins of the policy “\(name)”" + (isReportOnly ? ", report-only" : "")
        case .unverified: "NOT VERIFIED: any certificate is accepted"
        case .refusesEverything: "no listed certificate can be read: every connection is refused"
        }
    }
}
