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
