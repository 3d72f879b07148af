public import HoldfastTrust

/// Mints certificates for tests, demos and development servers: sound ones by default, and every kind of unsound one
/// through ``CertificateOptions``.
///
/// Nothing is read from or written to disk, and no private key outlives the process unless the caller stores it.
public struct CertificateFactory: Sendable {
    /// The instant around which certificates are valid unless a test says otherwise: 2031-03-15T12:00:00Z. It lies in
    /// the future so that a test which forgets to hand in its clock fails.
    public static let referenceTime = Timestamp(secondsSince1970: 1_931_342_400)

    /// The instant around which this factory's certificates are valid.
    public let now: Timestamp

    /// Makes a factory whose certificates are valid around `now`.
    public init(now: Timestamp = CertificateFactory.referenceTime) {
        self.now = now
    }

    /// A self-signed certificate authority.
    public func authority(_ commonName: String, _ options: CertificateOptions = .init()) throws -> Identity {
        try mint(.authority, commonName: commonName, issuer: nil, options)
    }

    /// A certificate authority below another one. With the key and the name of an existing authority it is a
    /// cross-signed certificate of that one.
    public func intermediate(
        _ commonName: String, signedBy issuer: Identity, _ options: CertificateOptions = .init()
    ) throws -> Identity {
        try mint(.intermediate, commonName: commonName, issuer: issuer, options)
    }

    /// A server's certificate for DNS names and IP addresses (in their usual text form); self-signed without an issuer.
    ///
    /// Names go into the certificate exactly as written. An address that is none throws
    /// ``CertificateFactoryError/notAnAddress(_:)``.
    public func leaf(
        _ dnsNames: [String], ipAddresses: [String] = [], signedBy issuer: Identity?,
        _ options: CertificateOptions = .init()
    ) throws -> Identity {
        let addresses = try ipAddresses.map { text in
            guard let bytes = AddressBytes.parse(text) else { throw CertificateFactoryError.notAnAddress(text) }
            return bytes
        }
        return try mint(
            .leaf, commonName: dnsNames.first ?? ipAddresses.first ?? "Holdfast test server", dnsNames: dnsNames,
            addresses: addresses, issuer: issuer, options)
    }

    private func mint(
        _ role: CertificateRole, commonName: String, dnsNames: [String] = [], addresses: [[UInt8]] = [],
        issuer: Identity?, _ options: CertificateOptions
    ) throws -> Identity {
        let key = try options.key ?? Key(options.keyKind)
        let publicKeyInfo = options.publicKeyInfo ?? key.publicKeyInfo
        let keyIdentifier =
            options.subjectKeyIdentifier ?? Array(SPKIDigest(hashing: publicKeyInfo).bytes.prefix(20))
        let draft = CertificateDraft(
            role: role,
            subject: options.subject ?? CertificateName.der(options.commonName ?? commonName, options.organization),
            issuer: options.issuer ?? issuer?.subject, publicKeyInfo: publicKeyInfo, dnsNames: dnsNames,
            addresses: addresses,
            subjectKeyIdentifier: keyIdentifier,
            authorityKeyIdentifier: options.authorityKeyIdentifier ?? issuer?.subjectKeyIdentifier, now: now,
            options: options)
        let der = try draft.signed(by: options.signingKey ?? issuer?.key ?? key)
        return Identity(
            view: try CertificateView(der: der), key: key, issuer: issuer, subject: draft.subject,
            subjectKeyIdentifier: keyIdentifier)
    }
}
