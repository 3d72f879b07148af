import HoldfastTrust

/// A certificate before it is signed.
struct CertificateDraft: Sendable {
    var role: CertificateRole
    var subject: [UInt8]
    /// The issuer's Name; `nil` for a self-signed certificate.
    var issuer: [UInt8]?
    var publicKeyInfo: [UInt8]
    var dnsNames: [String]
    var addresses: [[UInt8]]
    var subjectKeyIdentifier: [UInt8]
    var authorityKeyIdentifier: [UInt8]?
    var now: Timestamp
    var options: CertificateOptions

    private static let day: Int64 = 86_400

    /// Returns the signed certificate (RFC 5280, section 4.1).
    func signed(by signer: Key) throws -> [UInt8] {
        let algorithm = signer.signatureAlgorithm(options.signatureHash)
        let body = toBeSigned(algorithm)
        var signature = try signer.sign(body, options.signatureHash)
        if options.breaksSignature, let last = signature.indices.last { signature[last] ^= 1 }
        return DERBytes.sequence([
            body,
            options.outerSignatureHash.map { signer.signatureAlgorithm($0) } ?? algorithm,
            DERBytes.bitString(signature),
        ])
    }

    private func toBeSigned(_ algorithm: [UInt8]) -> [UInt8] {
        DERBytes.sequence([
            // Version 1 is the default and must not be encoded.
            options.version == 1
                ? []
                : DERBytes.context(
                    0, constructed: true, DERBytes.unsignedInteger([UInt8(clamping: options.version - 1)])),
            DERBytes.unsignedInteger(options.serial ?? Self.randomSerial()),
            algorithm,
            issuer ?? subject,
            DERBytes.sequence([
                time(options.notBefore ?? now.advanced(bySeconds: -Self.day)),
                time(options.notAfter ?? now.advanced(bySeconds: role.days * Self.day)),
            ]),
            subject,
            publicKeyInfo,
            options.version == 3 ? extensions() : [],
        ])
    }

    private func time(_ time: Timestamp) -> [UInt8] {
        options.usesGeneralizedTime ? DERBytes.generalizedTime(time) : DERBytes.time(time)
    }

    private func extensions() -> [UInt8] {
        let standard = StandardExtension.allCases.compactMap { kind -> [UInt8]? in
            guard !options.omitting.contains(kind), let value = value(of: kind) else { return nil }
            return Self.element(kind.objectIdentifier, options.critical.contains(kind), value)
        }
        let extra = options.extraExtensions.map { Self.element($0.objectIdentifier, $0.isCritical, $0.value) }
        // An empty list must not be encoded (RFC 5280, section 4.1).
        guard !standard.isEmpty || !extra.isEmpty else { return [] }
        return DERBytes.context(3, constructed: true, DERBytes.sequence(standard + extra))
    }

    private func value(of kind: StandardExtension) -> [UInt8]? {
        switch kind {
        case .basicConstraints:
            let isCA = options.isCA ?? (role != .leaf)
            return DERBytes.sequence([
                // FALSE is the default and must not be encoded.
                isCA ? DERBytes.boolean(true) : [],
                options.pathLength.map { DERBytes.unsignedInteger([UInt8(clamping: $0)]) } ?? [],
            ])
        case .keyUsage:
            return DERBytes.namedBits((options.keyUsage ?? role.keyUsage).bits)
        case .extendedKeyUsage:
            guard let usages = options.extendedKeyUsages ?? (role == .leaf ? [.serverAuth] : nil) else { return nil }
            return DERBytes.sequence(usages.map { DERBytes.objectIdentifier($0.objectIdentifier) })
        case .subjectAlternativeName:
            let names =
                dnsNames.map { DERBytes.context(2, constructed: false, Array($0.utf8)) }
                + addresses.map { DERBytes.context(7, constructed: false, $0) } + options.extraGeneralNames
            return names.isEmpty ? nil : DERBytes.sequence(names)
        case .nameConstraints:
            return options.nameConstraints?.der
        case .subjectKeyIdentifier:
            return DERBytes.octetString(subjectKeyIdentifier)
        case .authorityKeyIdentifier:
            return authorityKeyIdentifier.map { DERBytes.sequence([DERBytes.context(0, constructed: false, $0)]) }
        }
    }

    private static func element(_ oid: String, _ isCritical: Bool, _ value: [UInt8]) -> [UInt8] {
        DERBytes.sequence([
            DERBytes.objectIdentifier(oid), isCritical ? DERBytes.boolean(true) : [], DERBytes.octetString(value),
        ])
    }

    private static func randomSerial() -> [UInt8] {
        // 127 random bits: never zero in practice, and positive without a padding byte.
        (0..<16).map { $0 == 0 ? UInt8.random(in: 1...0x7f) : UInt8.random(in: 0...0xff) }
    }
}

/// The role of a minted certificate. It determines the defaults.
enum CertificateRole: Hashable, Sendable {
    case authority
    case intermediate
    case leaf

    /// The days of validity after the factory's time.
    var days: Int64 {
        switch self {
        case .authority: 3_650
        case .intermediate: 1_825
        case .leaf: 90
        }
    }

    var keyUsage: KeyUsages {
        switch self {
        case .authority, .intermediate: [.keyCertSign, .crlSign, .digitalSignature]
        case .leaf: [.digitalSignature]
        }
    }
}
