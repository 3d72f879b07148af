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
