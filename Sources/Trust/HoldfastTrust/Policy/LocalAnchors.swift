/// Trust anchors that a policy brings along: a private authority, a debugging proxy, a company's inspection box.
public struct LocalAnchors: Hashable, Sendable {
    /// Whether pins count for paths that end in one of these anchors.
    public enum Pinning: String, Hashable, Sendable, CaseIterable {
        /// They count as everywhere.
        case enforced
        /// They do not: who holds one of these anchors can read the traffic to pinned hosts.
        case dangerouslyBypassed
        /// The same, with a notice in every verdict.
        case dangerouslyBypassedAndReported
    }

    /// The certificates.
    public var certificates: [CertificateView]
    /// Whether they take the place of the anchors of the context, or stand beside them.
    public var replaceOthers: Bool
    /// Whether pins count for them.
    public var pinning: Pinning

    /// Lists anchors.
    public init(_ certificates: [CertificateView], replaceOthers: Bool = false, pinning: Pinning = .enforced) {
        self.certificates = certificates
        self.replaceOthers = replaceOthers
        self.pinning = pinning
    }

    /// Anchors beside those of the context.
    public static func additional(_ certificates: [CertificateView]) -> LocalAnchors {
        LocalAnchors(certificates)
    }

    /// These anchors and no others.
    public static func only(_ certificates: [CertificateView]) -> LocalAnchors {
        LocalAnchors(certificates, replaceOthers: true)
    }

    /// Anchors for debugging, for which pins do not count. Do not ship them.
    public static func dangerouslyBypassingPins(_ certificates: [CertificateView]) -> LocalAnchors {
        LocalAnchors(certificates, pinning: .dangerouslyBypassedAndReported)
    }
}
