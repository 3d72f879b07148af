/// A case that Holdfast accepts and a reference refuses, or the reverse.
package struct Disagreement: Hashable, Sendable {
    package var kind: DifferentialKind
    /// The number of the case.
    package var number: Int
    package var changes: [String]
    /// `openssl` or `pyca`.
    package var reference: String
    /// The reference's reason. `nil` if the reference accepts the case.
    package var reason: String?
    /// The code of Holdfast's finding.
    package var code: String

    package init(
        _ kind: DifferentialKind, number: Int, changes: [String], reference: String, reason: String?, code: String
    ) {
        self.kind = kind
        self.number = number
        self.changes = changes
        self.reference = reference
        self.reason = reason
        self.code = code
    }
}

/// An argued class of cases that Holdfast accepts and a reference refuses. `docs/internals/x509-conformance.md` has the
/// argument under the same name.
package struct AcceptedClass: Sendable {
    /// The name in the document.
    package let name: String
    let kind: DifferentialKind
    let reference: String
    /// Text in the reference's reason.
    let reason: String
    /// The changes of which the case must contain one. An empty list permits every case with this reason.
    let changes: Set<String>

    init(_ name: String, _ kind: DifferentialKind, _ reference: String, _ reason: String, _ changes: Set<String> = []) {
        self.name = name
        self.kind = kind
        self.reference = reference
        self.reason = reason
        self.changes = changes
    }

    /// Returns whether the class explains the case.
    func explains(_ item: Disagreement) -> Bool {
        kind == item.kind && reference == item.reference && item.reason?.contains(reason) == true
            && (changes.isEmpty || !changes.isDisjoint(with: item.changes))
    }

    /// Returns the class that explains a case.
    static func explaining(_ item: Disagreement) -> AcceptedClass? { all.first { $0.explains(item) } }

    /// All classes.
    package static let all: [AcceptedClass] = [
        AcceptedClass("last second", .chains, "openssl", "10: certificate has expired", ["lastSecond"]),
        AcceptedClass("last second", .lists, "openssl", "12: CRL has expired", ["lastSecond"]),
        AcceptedClass(
            "second list", .lists, "openssl", "8: CRL signature failure", ["older", "duplicate", "partitions", "delta"]),
        AcceptedClass("any purpose", .chains, "openssl", "unsuitable certificate purpose", ["anyPurpose"]),
        AcceptedClass("any purpose", .chains, "openssl", "invalid CA certificate", ["anyAuthorityPurpose"]),
        AcceptedClass("any purpose", .chains, "openssl", "unsuitable certificate purpose", ["anyAuthorityPurpose"]),
        AcceptedClass("any purpose", .chains, "pyca", "required EKU not found", ["anyPurpose", "anyAuthorityPurpose"]),
        AcceptedClass("key identifiers", .chains, "openssl", "unable to get local issuer", ["keyIdentifiers"]),
        AcceptedClass("key identifiers", .chains, "openssl", "unable to get issuer", ["keyIdentifiers"]),
        AcceptedClass("one path", .chains, "openssl", "20: unable to get local issuer", ["crossSigned"]),
        AcceptedClass("one path", .chains, "openssl", "79: invalid CA certificate", ["crossSigned"]),
        AcceptedClass("key identifiers", .chains, "pyca", "2.5.29.35", ["keyIdentifiers", "selfSigned"]),
        AcceptedClass("key identifiers", .chains, "pyca", "2.5.29.14", ["keyIdentifiers"]),
        AcceptedClass("server with the CA bit", .chains, "pyca", "basicConstraints.cA must not be", ["leafIsCA"]),
        AcceptedClass("server with keyCertSign", .chains, "pyca", "EE keyUsage must not", ["leafUsage"]),
        AcceptedClass("no key usage", .chains, "pyca", "2.5.29.15: Certificate is missing", ["authorityUsage"]),
        AcceptedClass("not critical", .chains, "pyca", "incorrect criticality", ["noncritical"]),
        AcceptedClass("not critical", .chains, "pyca", "all candidates exhausted with no interior", ["noncritical"]),
        AcceptedClass("mapping before anyPolicy", .policies, "openssl", "43: no explicit policy", ["anyAfterMapping"]),
        AcceptedClass("empty subject", .chains, "pyca", "subjectAltName MUST be critical", ["emptyName"]),
        AcceptedClass("GeneralizedTime", .chains, "pyca", "must be UtcTime", ["generalizedTime"]),
        AcceptedClass("serial number", .chains, "pyca", "serial", ["serial"]),
        AcceptedClass("key types", .chains, "pyca", "Forbidden public key algorithm", ["otherCurve"]),
        AcceptedClass("key types", .chains, "pyca", "Forbidden signature algorithm", ["otherCurve"]),
        AcceptedClass(
            "form of DNS constraints", .chains, "pyca", "malformed DNS name constraint",
            ["emptyConstraint", "dottedConstraint"]),
        AcceptedClass(
            "unknown version of a timestamp", .timestamps, "pyca", "unreadable timestamps", ["version", "tampered"]),
        AcceptedClass(
            "unknown algorithm of a timestamp", .timestamps, "pyca", "unreadable", ["wrongAlgorithm", "tampered"]),
        AcceptedClass(
            "unknown algorithm of a timestamp", .timestamps, "openssl", "unreadable", ["wrongAlgorithm", "tampered"]),
        AcceptedClass("time after year 9999", .timestamps, "pyca", "is out of range", ["tampered"]),
        AcceptedClass("time within a second", .timestamps, "openssl", "one operator", ["withinSecond"]),
        AcceptedClass("time within a second", .timestamps, "pyca", "one operator", ["withinSecond"]),
        AcceptedClass("time within a second", .timestamps, "openssl", "valid timestamps of", ["withinSecond"]),
        AcceptedClass("time within a second", .timestamps, "pyca", "valid timestamps of", ["withinSecond"]),
    ]
}

/// An argued class of cases that Holdfast refuses and all references accept. The document has the argument under the
/// same name.
package struct StricterClass: Sendable {
    /// The name in the document.
    package let name: String
    let code: String
    /// The changes that the case must contain.
    let changes: Set<String>

    init(_ name: String, _ code: String, _ changes: Set<String>) {
        self.name = name
        self.code = code
        self.changes = changes
    }

    /// Returns whether the class explains the case.
    func explains(code: String, changes: [String]) -> Bool { self.code == code && self.changes.isSubset(of: changes) }

    /// All classes.
    package static let all: [StricterClass] = [
        StricterClass("server without digitalSignature", "keyUsage", ["leafUsage"]),
        StricterClass("small RSA keys", "weakKey", ["rsa"]),
        StricterClass("list without a number", "revocationUnknown", ["withoutNumber"]),
        StricterClass("list without a number", "revoked", ["withoutNumber", "older"]),
        StricterClass("delta lists lift holds only", "revoked", ["delta"]),
        StricterClass("constraints of an anchor", "certificatePolicy", ["root"]),
        StricterClass("inhibited anyPolicy with mappings", "certificatePolicy", ["mapsAny"]),
        StricterClass("malformed mappings", "malformedCertificate", ["mappings"]),
        StricterClass("unreadable list", "unreadable list", ["corrupted"]),
        StricterClass("malformed list of timestamps", "sctListMalformed", ["tampered"]),
    ]
}
