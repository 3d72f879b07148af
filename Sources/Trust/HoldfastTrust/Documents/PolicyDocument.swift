/// A policy as it stands in a file of any format: what was written and where, before anything is decided.
///
/// Every format is read into this one shape, each with its own semantics chosen in ``semantics``; only ``policy()``
/// makes a ``PinningPolicy`` of it. Nothing that was written is dropped on the way: what has no place here is a
/// diagnostic.
public struct PolicyDocument: Hashable, Sendable {
    /// Which format it was read from.
    public var format: PolicyFormat
    /// The policy's name.
    public var name: String
    /// How the format understands what it says.
    public var semantics: PolicySemantics
    /// The hosts and what is asked of them, in the order of the file.
    public var domains: [PolicyDomain]
    /// Pins that several hosts share, by name, in the order of the file.
    public var pinSets: [PolicyPinSet]
    /// Keys that are refused everywhere.
    public var denied: [PolicyPin]
    /// Trust anchors that the policy brings along.
    public var anchors: LocalAnchors?
    /// What the reader found; an error among them means that there is no policy.
    public var diagnostics: [PolicyDiagnostic]

    /// Makes a document.
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
}

extension PolicyDocument {
    /// Reads Holdfast's own format. Never throws: what is wrong is in ``diagnostics``, and ``policy()`` throws it.
    public init(holdfastJSON bytes: [UInt8]) {
        self = HoldfastPolicyReader.read(bytes)
    }

    /// The document in Holdfast's own format.
    public var holdfastJSON: String { HoldfastPolicyWriter.text(of: self) }
}

extension PinningPolicy {
    /// Reads a policy in Holdfast's own format (`docs/policy-format.md`). Throws ``PolicyError`` with every problem, each
    /// with its path and its place in the text.
    public init(holdfastJSON bytes: [UInt8]) throws(PolicyError) {
        self = try PolicyDocument(holdfastJSON: bytes).policy()
    }
}

/// How a format understands what it says, where formats differ.
public struct PolicySemantics: Hashable, Sendable {
    /// What a host with an empty list of pins means.
    public enum EmptyPins: String, Hashable, Sendable {
        /// The file is wrong.
        case error
        /// The host is not pinned.
        case unpinned
        /// Every connection is refused.
        case refuse
    }

    /// Which of several rules for a host count.
    public var precedence: RulePrecedence
    /// How many pins a host needs.
    public var backupPins: BackupPins
    /// What an empty list of pins means.
    public var emptyPins: EmptyPins
    /// Whether hosts without a rule are refused.
    public var requiresRuleForEveryHost: Bool

    /// Chooses semantics.
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

/// The formats in which policies are written.
public enum PolicyFormat: String, Hashable, Sendable, CaseIterable {
    /// Holdfast's own JSON.
    case holdfast
    /// TrustKit's dictionary, as a property list or JSON.
    case trustKit = "trustkit"
    /// `NSPinnedDomains` below `NSAppTransportSecurity` of an Info.plist.
    case pinnedDomains = "nspinneddomains"
    /// Android's network security configuration, TrustKit-Android's extension included.
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
