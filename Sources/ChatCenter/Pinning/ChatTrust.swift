import HoldfastTrust

/// What follows from a ``SSLPinningConfig``: what judges the servers, and what the log says about it.
struct ChatTrust: Sendable {
    /// How servers are judged, for ``ChatConnectionState``.
    let security: ChatConnectionSecurity
    /// The listed certificates that can be read.
    let pinned: [CertificateView]
    /// What the configuration gives cause to say when the SDK is made.
    let notes: [ChatLogLine]
    private let judge: TrustContext
    /// What judges servers that are none of the chat's own, where that is not the same.
    private let foreignJudge: TrustContext?

    /// - Parameters:
    ///   - anchors: The roots of the system's verification; another set in tests alone.
    ///   - systemJudge: What judges in place of the system's verification, where that would.
    init(_ config: SSLPinningConfig, anchors: TrustAnchors = .system, systemJudge: TrustContext? = nil) {
        var notes: [ChatLogLine] = []
        foreignJudge = config.foreignOriginTrust == .system ? .system(anchors: anchors) : nil
        for certificate in config.trustedCertificates {
            if let error = certificate.loadError {
                notes.append(
                    ChatLogLine([.error], "SSL certificate \(certificate.source) is unusable: \(error.reason)"))
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

        if config.trustedCertificates.isEmpty {
            if config.allowUntrustedSSLCertificate {
                security = .unverified
                judge = .dangerouslyAcceptAnyCertificate()
                notes.append(ChatLogLine([.error], Self.unverifiedText, isLoud: true))
            } else {
                security = .systemTrust
                judge = systemJudge ?? .system(anchors: anchors)
            }
            self.notes = notes
            return
        }

        if config.allowUntrustedSSLCertificate {
            notes.append(
                ChatLogLine(
                    [.error],
                    "allowUntrustedSSLCertificate is ignored: trustedCertificates is not empty. Remove the flag: if the "
                        + "list were empty in some build, that build would have no protection."))
        }
        if usable.isEmpty {
            security = .refusesEverything
            notes.append(
                ChatLogLine(
                    [.error],
                    "None of the \(config.trustedCertificates.count) trusted certificates can be read: every connection "
                        + "will be refused (noUsablePins)."))
        } else {
            security = .pinnedKeys(certificates: usable.count)
            if Set(usable.map(\.spkiDigest)).count == 1 {
                notes.append(
                    ChatLogLine(
                        [.error],
                        "Only one key is trusted. When the server's key changes, the chat stops: list the next "
                            + "certificate beside the current one."))
            }
        }
        judge = .pinnedKeysOnly(
            PinnedKeysOnly(
                certificates: usable, unreadableCount: config.trustedCertificates.count - usable.count,
                hostnameVerification: config.hostnameVerification))
        self.notes = notes
    }

    static let unverifiedText =
        "DANGER: allowUntrustedSSLCertificate accepts ANY server, an attacker too. Never ship this to users."

    /// The context for the clients; `observer` sees every chain that is judged, with its verdict, on any thread.
    func context(
        observing observer: @escaping @Sendable (PresentedChain, TrustVerdict) -> Void
    ) -> TrustContext {
        let judge = self.judge
        return TrustContext(name: judge.name) { chain, subject, time in
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

    /// The context for servers that are none of the chat's own.
    var foreignContext: TrustContext? { foreignJudge }

    /// The lines for one judged chain: the documented ones, with the SPKI hash beside the raw form of each key, since the
    /// raw form cannot be compared with what openssl prints.
    func lines(for chain: PresentedChain, _ verdict: TrustVerdict) -> [ChatLogLine] {
        var lines: [ChatLogLine] = []
        if security == .unverified {
            lines.append(ChatLogLine([.error], Self.unverifiedText, isLoud: true))
        }
        if !verdict.permitsConnection {
            let text =
                switch security {
                case .pinnedKeys where verdict.finding.code != .hostMismatch, .refusesEverything:
                    "SSL CERTIFICATES Pinning error - server and pinned certificates are not equals. \(verdict)"
                default: "SSL error: \(verdict)"
                }
            lines.append(ChatLogLine([.error], text))
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
