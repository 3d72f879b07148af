import HoldfastBase

/// The inputs of a caller for certificate policies (RFC 5280, 6.1.1 (c), (e), (f), (g)).
///
/// The default is what TLS clients use: every policy is acceptable, and only the certificates of a path can require a
/// policy. The inputs apply to system verification, with and without pins, and not to ``PinnedKeysOnly``.
public struct CertificatePolicyInputs: Hashable, Sendable {
    /// The acceptable policies, `user-initial-policy-set` in RFC 5280. `nil` accepts any policy.
    ///
    /// The set matters only for paths that need a policy: with ``initialExplicitPolicy``, or if an authority requires
    /// one. A set that contains ``CertificatePolicyIdentifier/anyPolicy`` accepts any policy. With an empty set, every
    /// path that needs a policy is refused.
    public var userInitialPolicySet: Set<CertificatePolicyIdentifier>?
    /// Whether every path must be valid for an acceptable policy, `initial-explicit-policy` in RFC 5280.
    public var initialExplicitPolicy = false
    /// Whether policy mappings are ignored on the whole path, `initial-policy-mapping-inhibit` in RFC 5280.
    public var initialPolicyMappingInhibit = false
    /// Whether `anyPolicy` in a certificate stands for no other policy, `initial-any-policy-inhibit` in RFC 5280.
    public var initialAnyPolicyInhibit = false

    /// The inputs that accept any policy and require none.
    public static let anyPolicy = CertificatePolicyInputs()

    /// Creates inputs that accept any policy and require none.
    public init() {}

    /// Creates inputs that accept only paths with one of the given policies.
    public static func requiring(_ policies: Set<CertificatePolicyIdentifier>) -> CertificatePolicyInputs {
        var inputs = CertificatePolicyInputs()
        inputs.userInitialPolicySet = policies
        inputs.initialExplicitPolicy = true
        return inputs
    }
}

/// The object identifier of a certificate policy (RFC 5280, 4.2.1.4).
public struct CertificatePolicyIdentifier: Hashable, Sendable, CustomStringConvertible {
    /// The content bytes of the identifier's DER encoding.
    let content: [UInt8]

    /// `anyPolicy`, which stands for every policy.
    public static let anyPolicy = CertificatePolicyIdentifier(content: ObjectIdentifier.anyPolicy)

    init(content: some Sequence<UInt8>) {
        self.content = Array(content)
    }

    /// Creates an identifier from its dotted form, such as `2.23.140.1.2.1`.
    ///
    /// - Throws: ``CertificatePolicyError`` if the text is not an object identifier with 2 to 32 numbers, each below
    ///   2 to the power of 56.
    public init(_ text: String) throws(CertificatePolicyError) {
        guard let content = ObjectIdentifier.content(ofDotted: text) else { throw CertificatePolicyError(text) }
        self.content = content
    }

    /// The dotted form.
    public var description: String { ObjectIdentifier.text(of: content) }
}

/// The reason why a text is not the identifier of a certificate policy.
///
/// - Remedy: Pass an object identifier in dotted form, such as `2.23.140.1.2.1`.
public struct CertificatePolicyError: Error, Hashable, Sendable, CustomStringConvertible {
    /// One sentence for people, with the remedy.
    public let reason: String

    init(_ text: String) {
        let shown = Printable.text(String(text.prefix(64)))
        reason = "\"\(shown)\" is not an object identifier. Write numbers with dots, such as 2.23.140.1.2.1."
    }

    /// The reason as text.
    public var description: String { reason }
}
