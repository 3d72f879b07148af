/// The decoded extensions of a certificate that verification processes.
struct CertificateExtensions {
    var basicConstraints: BasicConstraints?
    var keyUsage: KeyUsage?
    var extendedKeyUsage: ExtendedKeyUsage?
    /// Microsoft's application policies, if they are critical. They restrict the purposes like `extendedKeyUsage`.
    var applicationPolicies: ExtendedKeyUsage?
    /// The positions of the policy extensions, or `nil` if there are none. See ``PolicyCheck``.
    var policy: PolicyExtensions?
    var subjectAlternativeNames: [GeneralName] = []
    var nameConstraints: NameConstraints?
    var subjectKeyIdentifier: Range<Int>?
    var authorityKeyIdentifier: Range<Int>?
    /// Critical extensions that verification does not process. Such certificates must be refused (RFC 5280, 4.2).
    var unhandledCritical: [String] = []
    /// A size limit that the certificate exceeds. The extension was not read, so a path must not use the certificate.
    var exceeded: CertificateLimit?

    /// The maximum number of extensions. Real certificates have fewer.
    ///
    /// - Error: `TrustFinding.Code.certificateLimitExceeded`
    static let maximumCount = 64

    init(_ der: [UInt8], _ range: Range<Int>?, defects: inout [String]) {
        guard let range else { return }
        var reader = DERReader(der, in: range)
        var seen: [ArraySlice<UInt8>] = []
        var count = 0
        if reader.isAtEnd { defects.append("the list of extensions is empty") }
        do throws(DERFault) {
            while !reader.isAtEnd {
                count += 1
                guard count <= CertificateExtensions.maximumCount else { throw reader.fault(.tooManyElements) }
                let (identifier, isCritical, value) = try reader.readExtension()
                guard !seen.contains(identifier) else {
                    defects.append("the extension \(ObjectIdentifier.text(of: identifier)) occurs twice")
                    continue
                }
                seen.append(identifier)
                decode(identifier, isCritical: isCritical, value: value, of: der, defects: &defects)
            }
        } catch {
            note(error, "the extensions are", ("extensions", CertificateExtensions.maximumCount), &defects)
        }
    }

    /// Records whether an extension is malformed or has more parts than the limit.
    private mutating func note(
        _ fault: DERFault, _ what: String, _ limit: (what: String, count: Int)? = nil, _ defects: inout [String]
    ) {
        if fault.reason == .tooManyElements, let limit {
            exceeded = exceeded ?? CertificateLimit(what: limit.what, count: limit.count)
        } else {
            defects.append("\(what) malformed: \(fault.reason.rawValue)")
        }
    }

    private mutating func decode(
        _ identifier: ArraySlice<UInt8>, isCritical: Bool, value: Range<Int>, of der: [UInt8],
        defects: inout [String]
    ) {
        var reader = DERReader(der, in: value)
        func decoded<Value>(
            _ name: String, limit: (what: String, count: Int)? = nil, _ read: (DERReader) throws(DERFault) -> Value
        ) -> Value? {
            do throws(DERFault) { return try read(reader) } catch {
                note(error, "the extension \(name) is", limit, &defects)
                return nil
            }
        }
        switch ObjectIdentifier.Known(identifier) {
        case .basicConstraints: basicConstraints = decoded("basicConstraints", BasicConstraints.init)
        case .keyUsage: keyUsage = decoded("keyUsage", KeyUsage.init)
        case .extendedKeyUsage:
            let limit = (what: "purposes", count: ExtendedKeyUsage.maximumCount)
            extendedKeyUsage = decoded("extKeyUsage", limit: limit, ExtendedKeyUsage.init(_:))
        case .subjectAlternativeName:
            let limit = (what: "names", count: GeneralName.maximumCount)
            subjectAlternativeNames = decoded("subjectAltName", limit: limit, GeneralName.sequence) ?? []
        case .nameConstraints:
            let limit = (what: "name constraints", count: NameConstraints.maximumCount)
            nameConstraints = decoded("nameConstraints", limit: limit, NameConstraints.init)
        case .certificatePolicies, .policyMappings, .policyConstraints, .inhibitAnyPolicy:
            // Policies are processed for complete paths.
            var places = policy ?? PolicyExtensions()
            places.note(identifier, PolicyExtensions.Place(isCritical: isCritical, value: value))
            policy = places
        case .subjectKeyIdentifier:
            // RFC 5280, 4.2.1.2 and 4.2.1.1: key identifiers must not be critical.
            if isCritical { unhandledCritical.append("subjectKeyIdentifier") }
            // Key identifiers are only hints for path building, so a malformed one counts as absent.
            subjectKeyIdentifier = try? reader.read(DERTag.octetString).content
        case .authorityKeyIdentifier:
            if isCritical { unhandledCritical.append("authorityKeyIdentifier") }
            var fields = try? reader.contentIfPresent(DERTag.sequence)
            authorityKeyIdentifier = try? fields?.readIfPresent(DERTag.context(0, constructed: false))?.content
        case nil where isCritical && identifier.elementsEqual(ObjectIdentifier.applicationPolicies):
            // Microsoft defines the extension. It is not processed if it is not critical, as by other verifiers.
            let limit = (what: "purposes", count: ExtendedKeyUsage.maximumCount)
            applicationPolicies = decoded("applicationPolicies", limit: limit) { reader throws(DERFault) in
                try ExtendedKeyUsage(applicationPolicies: reader)
            }
        case nil:
            if isCritical { unhandledCritical.append(ObjectIdentifier.text(of: identifier)) }
        }
    }
}

/// The basic constraints (RFC 5280, 4.2.1.9).
struct BasicConstraints: Hashable, Sendable {
    var isAuthority: Bool
    /// The maximum number of certificate authorities below this one, without self-issued ones.
    var pathLength: Int?

    init(_ reader: DERReader) throws(DERFault) {
        var inner = try reader.onlyElement()
        // Public CAs also encode the default FALSE, which violates DER but is unambiguous.
        isAuthority = inner.nextTag == DERTag.boolean ? try inner.readBoolean() : false
        if !inner.isAtEnd { pathLength = try inner.readSmallInteger() }
        try inner.finish()
    }
}

/// The bits of the key usage (RFC 5280, 4.2.1.3) that a TLS client uses.
struct KeyUsage: Hashable, Sendable {
    var digitalSignature: Bool
    var keyCertSign: Bool
    var crlSign: Bool

    init(_ reader: DERReader) throws(DERFault) {
        var reader = reader
        let bits = try reader.readBitString().bytes
        try reader.finish()
        let first = bits.first.map { reader.bytes[$0] } ?? 0
        digitalSignature = first & 0x80 != 0
        keyCertSign = first & 0x04 != 0
        crlSign = first & 0x02 != 0
    }
}

/// The extended key usage (RFC 5280, 4.2.1.12).
struct ExtendedKeyUsage: Hashable, Sendable {
    /// Whether the purposes include TLS server authentication, explicitly or as "any".
    var allowsServerAuthentication: Bool
    /// Whether the purposes include OCSP signing. "Any" is not sufficient (RFC 6960, 4.2.2.2).
    var allowsOCSPSigning: Bool

    /// The maximum number of purposes.
    ///
    /// - Error: `TrustFinding.Code.certificateLimitExceeded`
    static let maximumCount = 100

    init(_ reader: DERReader) throws(DERFault) {
        try self.init(reader, any: ObjectIdentifier.anyExtendedKeyUsage) { list throws(DERFault) in
            list.bytes[try list.read(DERTag.objectIdentifier).content]
        }
    }

    /// Reads Microsoft's application policies: purposes in the form of `certificatePolicies`. Qualifiers are skipped.
    init(applicationPolicies reader: DERReader) throws(DERFault) {
        try self.init(reader, any: ObjectIdentifier.anyApplicationPolicy) { list throws(DERFault) in
            var policy = list.inside(try list.read(DERTag.sequence))
            let purpose = policy.bytes[try policy.read(DERTag.objectIdentifier).content]
            _ = try policy.readIfPresent(DERTag.sequence)
            try policy.finish()
            return purpose
        }
    }

    private init(
        _ reader: DERReader, any: [UInt8], _ next: (inout DERReader) throws(DERFault) -> ArraySlice<UInt8>
    ) throws(DERFault) {
        var inner = try reader.onlyElement()
        guard !inner.isAtEnd else { throw inner.fault(.truncated) }
        allowsServerAuthentication = false
        allowsOCSPSigning = false
        var count = 0
        while !inner.isAtEnd {
            count += 1
            guard count <= ExtendedKeyUsage.maximumCount else { throw inner.fault(.tooManyElements) }
            let purpose = try next(&inner)
            if purpose.elementsEqual(ObjectIdentifier.serverAuth) || purpose.elementsEqual(any) {
                allowsServerAuthentication = true
            }
            if purpose.elementsEqual(ObjectIdentifier.ocspSigning) { allowsOCSPSigning = true }
        }
    }
}

extension DERReader {
    /// Reads one extension of a certificate, a revocation list or an OCSP response (RFC 5280, 4.1).
    mutating func readExtension() throws(DERFault) -> (
        identifier: ArraySlice<UInt8>, isCritical: Bool, value: Range<Int>
    ) {
        var item = inside(try read(DERTag.sequence))
        let identifier = bytes[try item.read(DERTag.objectIdentifier).content]
        // An encoded FALSE default violates DER, but has the same meaning for every verifier.
        let isCritical = item.nextTag == DERTag.boolean ? try item.readBoolean() : false
        let value = try item.read(DERTag.octetString).content
        try item.finish()
        return (identifier, isCritical, value)
    }
}
