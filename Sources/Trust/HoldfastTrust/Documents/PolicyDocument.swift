/// The contents of a policy file in any format, with positions, before they are interpreted.
///
/// Every format is read into this type, with its own semantics in ``semantics``. Only ``policy()`` creates a
/// ``PinningPolicy`` from it. Contents that this type cannot represent are reported as diagnostics.
public struct PolicyDocument: Hashable, Sendable {
    /// The format of the file.
    public var format: PolicyFormat
    /// The name of the policy.
    public var name: String
    /// The semantics of the format.
    public var semantics: PolicySemantics
    /// The hosts with their requirements, in the order of the file.
    public var domains: [PolicyDomain]
    /// Pin sets that several hosts share, in the order of the file.
    public var pinSets: [PolicyPinSet]
    /// Keys that are refused for every host.
    public var denied: [PolicyPin]
    /// Trust anchors of the policy.
    public var anchors: LocalAnchors?
    /// The findings of the reader. If they contain an error, the document is not a valid policy.
    public var diagnostics: [PolicyDiagnostic]

    /// Creates a document.
    public init(
        format: PolicyFormat, name: String, semantics: PolicySemantics, domains: [PolicyDomain] = [],
        pinSets: [PolicyPinSet] = [], denied: [PolicyPin] = [], anchors: LocalAnchors? = nil,
        diagnostics: [PolicyDiagnostic] = []
    ) {
        self.format = format
        self.name = name
        self.semantics = semantics
        self.domains = domains
        self.pinSets = pinSets
        self.denied = denied
        self.anchors = anchors
        self.diagnostics = diagnostics
    }

    /// Reads Holdfast's own format. Never throws: errors are in ``diagnostics``, and ``policy()`` throws them.
    public init(holdfastJSON bytes: [UInt8]) {
        self = HoldfastPolicyReader.read(bytes)
    }

    /// The document in Holdfast's own format.
    public var holdfastJSON: String { HoldfastPolicyWriter.text(of: self) }
}

extension PinningPolicy {
    /// Reads a policy in Holdfast's own format (<doc:Policy-Format>).
    ///
    /// - Throws: ``PolicyError`` with every problem, each with its path and its position in the text.
    public init(holdfastJSON bytes: [UInt8]) throws(PolicyError) {
        self = try PolicyDocument(holdfastJSON: bytes).policy()
    }
}

/// The formats of policy files.
public enum PolicyFormat: String, Hashable, Sendable, CaseIterable {
    /// Holdfast's own JSON format.
    case holdfast
    /// TrustKit's configuration, as a property list or JSON.
    case trustKit = "trustkit"
    /// `NSPinnedDomains` in `NSAppTransportSecurity` of an Info.plist.
    case pinnedDomains = "nspinneddomains"
    /// Android's network security configuration, including the TrustKit-Android extension.
    case android
    /// OkHttp's `CertificatePinner`: lines of `pattern sha256/…`.
    case okHttp = "okhttp"
    /// The `Public-Key-Pins` header of RFC 7469.
    case hpkp
    /// Chromium's static pins.
    case chromium
    /// curl's `--pinnedpubkey`.
    case curl
}

/// The semantics of a format, where formats differ.
public struct PolicySemantics: Hashable, Sendable {
    /// The meaning of an empty list of pins.
    public enum EmptyPins: String, Hashable, Sendable {
        /// An empty list is an error.
        case error
        /// The host is not pinned.
        case unpinned
        /// Every connection is refused.
        case refuse
    }

    /// Which rule applies if several rules cover a host.
    public var precedence: RulePrecedence
    /// How many pins a host needs.
    public var backupPins: BackupPins
    /// The meaning of an empty list of pins.
    public var emptyPins: EmptyPins
    /// Whether hosts without a rule are refused.
    public var requiresRuleForEveryHost: Bool

    /// Creates semantics.
    public init(
        precedence: RulePrecedence = .mostSpecific, backupPins: BackupPins = .required(2),
        emptyPins: EmptyPins = .error, requiresRuleForEveryHost: Bool = false
    ) {
        self.precedence = precedence
        self.backupPins = backupPins
        self.emptyPins = emptyPins
        self.requiresRuleForEveryHost = requiresRuleForEveryHost
    }
}
