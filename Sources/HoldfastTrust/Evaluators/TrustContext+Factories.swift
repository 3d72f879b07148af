extension TrustContext {
    /// The system verification alone: a valid path to `anchors` for the host.
    public static func system(anchors: TrustAnchors = .system) -> TrustContext {
        unimplemented("system")  // STUB
    }

    /// A policy: pins for the hosts that it names, the system verification for all, pinned or not.
    public static func policy(_ policy: PinningPolicy, anchors: TrustAnchors = .system) -> TrustContext {
        unimplemented("policy")  // STUB
    }

    /// A table of evaluators by domain. A host that is not listed falls through to the system verification. A key that
    /// is no host yields a context that refuses every connection, with that reason.
    public static func evaluators(
        _ table: [String: any ServerTrustEvaluator], anchors: TrustAnchors = .system
    ) -> TrustContext {
        unimplemented("evaluators")  // STUB
    }

    /// The chat SDK's mode: the listed keys take the place of the system verification.
    public static func pinnedKeysOnly(_ pins: PinnedKeysOnly) -> TrustContext {
        unimplemented("pinnedKeysOnly")  // STUB
    }

    /// No verification at all: every certificate is accepted, an attacker's too.
    public static func dangerouslyAcceptAnyCertificate() -> TrustContext {
        TrustContext(name: "DANGEROUS: any certificate") { chain, subject, time in
            .now(
                TrustVerdict(
                    decision: .allow,
                    finding: TrustFinding(
                        .anyCertificateAccepted, "Verification is switched off: any certificate is accepted."),
                    subject: subject, policyName: "DANGEROUS: any certificate",
                    presentedHashes: chain.certificates.map(\.spkiDigest), unreadable: chain.unreadable, time: time))
        }
    }

    private static func unimplemented(_ name: String) -> TrustContext {
        TrustContext(name: name) { chain, subject, time in
            .now(
                TrustVerdict(
                    decision: .block, finding: TrustFinding(.invalidConfiguration, "stub"), subject: subject,
                    policyName: name, time: time))
        }
    }
}
