/// The positions of the policy extensions of a certificate. Their contents are read only for certificates on a complete
/// path (``PolicyContents``).
struct PolicyExtensions: Hashable, Sendable {
    /// The position of an extension's value.
    struct Place: Hashable, Sendable {
        var isCritical: Bool
        var value: Range<Int>
    }

    /// `certificatePolicies` (RFC 5280, 4.2.1.4).
    var policies: Place?
    /// `policyMappings` (RFC 5280, 4.2.1.5).
    var mappings: Place?
    /// `policyConstraints` (RFC 5280, 4.2.1.11).
    var constraints: Place?
    /// `inhibitAnyPolicy` (RFC 5280, 4.2.1.14).
    var anyPolicyInhibition: Place?

    /// The name of a critical extension that constrains policies, for verifications that do not process policies.
    var criticalConstraint: String? {
        if mappings?.isCritical == true { return "policyMappings" }
        if constraints?.isCritical == true { return "policyConstraints" }
        return anyPolicyInhibition?.isCritical == true ? "inhibitAnyPolicy" : nil
    }

    /// Stores the place of an extension. Other extensions are ignored.
    mutating func note(_ identifier: ArraySlice<UInt8>, _ place: Place) {
        switch ObjectIdentifier.Known(identifier) {
        case .certificatePolicies: policies = place
        case .policyMappings: mappings = place
        case .policyConstraints: constraints = place
        case .inhibitAnyPolicy: anyPolicyInhibition = place
        default: break
        }
    }
}

/// The contents of the policy extensions of one certificate. Policies are numbers of a ``PolicyNames``.
struct PolicyContents {
    /// A mapping of an issuer's policy to a policy of the certificate's own domain.
    struct Mapping {
        var issuerDomain: Int
        var subjectDomain: Int
    }

    /// A reason why the extensions cannot be processed.
    enum Fault: Error {
        case malformed(String)
        case exceeded(CertificateLimit)
        case unknownQualifier(String)
    }

    /// The policies without `anyPolicy`, or `nil` if the certificate has no `certificatePolicies`.
    private(set) var policies: [Int]?
    /// Whether the policies include `anyPolicy`.
    private(set) var hasAnyPolicy = false
    private(set) var mappings: [Mapping] = []
    /// The number of further certificates without an explicit policy.
    private(set) var requireExplicitPolicy: Int?
    /// The number of further certificates whose mappings are processed.
    private(set) var inhibitPolicyMapping: Int?
    /// The number of further certificates whose `anyPolicy` is processed.
    private(set) var inhibitAnyPolicy: Int?

    /// The maximum number of policies, of mappings, and of qualifiers in one extension. Real certificates have fewer
    /// than 50.
    ///
    /// - Error: `TrustFinding.Code.certificateLimitExceeded`
    static let maximumCount = 256

    init() {}

    /// Reads the extensions of a certificate.
    ///
    /// All of them are read, also those that cannot affect the decision: a certificate with an unreadable policy
    /// extension is refused, as by Chromium and Go.
    init(_ extensions: PolicyExtensions, in der: [UInt8], _ names: inout PolicyNames) throws(Fault) {
        try read("certificatePolicies", extensions.policies, "certificate policies", der, &names) {
            (contents, reader, names) throws(DERFault) in
            try contents.readPolicies(reader, &names)
        }
        try read("policyMappings", extensions.mappings, "policy mappings", der, &names) {
            (contents, reader, names) throws(DERFault) in
            try contents.readMappings(reader, &names)
        }
        try read("policyConstraints", extensions.constraints, nil, der, &names) {
            (contents, reader, _) throws(DERFault) in
            try contents.readConstraints(reader)
        }
        try read("inhibitAnyPolicy", extensions.anyPolicyInhibition, nil, der, &names) {
            (contents, reader, _) throws(DERFault) in
            var reader = reader
            contents.inhibitAnyPolicy = try reader.readSkipCount()
            try reader.finish()
        }
        // RFC 5280, 6.1.4 (a): no policy is mapped to or from anyPolicy.
        if mappings.contains(where: { $0.issuerDomain == PolicyNames.any || $0.subjectDomain == PolicyNames.any }) {
            throw .malformed("it maps anyPolicy")
        }
        // RFC 5280, 4.2.1.4: qualifiers do not change the meaning of a policy, so their values are not read. If the
        // extension is critical, a qualifier of an unknown type must be refused.
        if let unknownQualifier, extensions.policies?.isCritical == true { throw .unknownQualifier(unknownQualifier) }
    }

    /// The first qualifier that is neither a pointer to a statement nor a notice.
    private var unknownQualifier: String?

    private mutating func read(
        _ name: String, _ place: PolicyExtensions.Place?, _ limited: String?, _ der: [UInt8],
        _ names: inout PolicyNames,
        _ body: (inout PolicyContents, DERReader, inout PolicyNames) throws(DERFault) -> Void
    ) throws(Fault) {
        guard let place else { return }
        do throws(DERFault) {
            try body(&self, DERReader(der, in: place.value), &names)
        } catch {
            if error.reason == .tooManyElements, let limited {
                throw .exceeded(CertificateLimit(what: limited, count: PolicyContents.maximumCount))
            }
            throw .malformed("the extension \(name) is malformed: \(error.reason.rawValue)")
        }
    }

    private mutating func readPolicies(_ reader: DERReader, _ names: inout PolicyNames) throws(DERFault) {
        var list = try reader.onlyElement()
        guard !list.isAtEnd else { throw list.fault(.truncated) }
        var (found, qualifiers): ([Int], Int) = ([], 0)
        var seen: Set<Int> = []
        while !list.isAtEnd {
            guard seen.count < PolicyContents.maximumCount else { throw list.fault(.tooManyElements) }
            let offset = list.position
            var policy = list.inside(try list.read(DERTag.sequence))
            let name = try names.number(reading: &policy)
            // RFC 5280, 4.2.1.4: a policy must not occur twice.
            guard seen.insert(name).inserted else { throw DERFault(reason: .repeatedElement, offset: offset) }
            if name == PolicyNames.any { hasAnyPolicy = true } else { found.append(name) }
            if var items = try policy.contentIfPresent(DERTag.sequence) {
                guard !items.isAtEnd else { throw items.fault(.truncated) }
                while !items.isAtEnd {
                    qualifiers += 1
                    guard qualifiers <= PolicyContents.maximumCount else { throw items.fault(.tooManyElements) }
                    try readQualifier(items.inside(try items.read(DERTag.sequence)))
                }
            }
            try policy.finish()
        }
        policies = found
    }

    private mutating func readQualifier(_ reader: DERReader) throws(DERFault) {
        var reader = reader
        let kind = reader.bytes[try reader.read(DERTag.objectIdentifier).content]
        _ = try reader.read()
        try reader.finish()
        let isKnown = ObjectIdentifier.policyQualifiers.contains { kind.elementsEqual($0) }
        if !isKnown { unknownQualifier = unknownQualifier ?? ObjectIdentifier.text(of: kind) }
    }

    private mutating func readMappings(_ reader: DERReader, _ names: inout PolicyNames) throws(DERFault) {
        var list = try reader.onlyElement()
        guard !list.isAtEnd else { throw list.fault(.truncated) }
        while !list.isAtEnd {
            guard mappings.count < PolicyContents.maximumCount else { throw list.fault(.tooManyElements) }
            var pair = list.inside(try list.read(DERTag.sequence))
            let issuerDomain = try names.number(reading: &pair)
            let subjectDomain = try names.number(reading: &pair)
            try pair.finish()
            mappings.append(Mapping(issuerDomain: issuerDomain, subjectDomain: subjectDomain))
        }
    }

    private mutating func readConstraints(_ reader: DERReader) throws(DERFault) {
        var fields = try reader.onlyElement()
        // RFC 5280, 4.2.1.11: the sequence must not be empty.
        guard !fields.isAtEnd else { throw fields.fault(.truncated) }
        if fields.nextTag == DERTag.context(0, constructed: false) {
            requireExplicitPolicy = try fields.readSkipCount(DERTag.context(0, constructed: false))
        }
        if fields.nextTag == DERTag.context(1, constructed: false) {
            inhibitPolicyMapping = try fields.readSkipCount(DERTag.context(1, constructed: false))
        }
        try fields.finish()
    }
}

/// Numbers for policies, so that the graph compares and stores numbers instead of identifiers of any length.
struct PolicyNames {
    /// The number of `anyPolicy`.
    static let any = 0

    private var numbers: [ArraySlice<UInt8>: Int] = [:]

    /// Returns the number of an identifier's content bytes. Equal bytes have the same number.
    mutating func number(of content: ArraySlice<UInt8>) -> Int {
        if content.elementsEqual(ObjectIdentifier.anyPolicy) { return PolicyNames.any }
        if let known = numbers[content] { return known }
        let number = numbers.count + 1
        numbers[content] = number
        return number
    }

    /// Reads an object identifier and returns its number.
    fileprivate mutating func number(reading reader: inout DERReader) throws(DERFault) -> Int {
        let content = try reader.read(DERTag.objectIdentifier).content
        guard !content.isEmpty else { throw DERFault(reason: .truncated, offset: content.lowerBound) }
        return number(of: reader.bytes[content])
    }
}

extension DERReader {
    /// Reads a `SkipCerts`: a number of certificates. A number with more than four bytes is larger than every path.
    fileprivate mutating func readSkipCount(_ tag: UInt8 = DERTag.integer) throws(DERFault) -> Int {
        let content = try readInteger(tag)
        guard bytes[content.lowerBound] & 0x80 == 0 else {
            throw DERFault(reason: .invalidInteger, offset: content.lowerBound)
        }
        return content.count > 4 ? Int.max : content.reduce(0) { $0 << 8 | Int(bytes[$1]) }
    }
}
