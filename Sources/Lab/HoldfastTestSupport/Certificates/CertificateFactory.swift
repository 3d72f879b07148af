public import HoldfastTrust

/// Mints certificates for tests, demos and development servers: valid ones by default, and every kind of invalid one
/// through ``CertificateOptions``.
///
/// The factory reads and writes no files. Private keys exist only in memory unless the caller stores them.
public struct CertificateFactory: Sendable {
    /// The time around which certificates are valid by default: 2031-03-15T12:00:00Z. It lies in the future, so that a
    /// test that does not pass its own clock fails.
    public static let referenceTime = Timestamp(secondsSince1970: 1_931_342_400)

    /// The time around which this factory's certificates are valid.
    public let now: Timestamp

    /// Creates a factory whose certificates are valid around `now`.
    public init(now: Timestamp = CertificateFactory.referenceTime) {
        self.now = now
    }

    /// Returns a self-signed certificate authority.
    public func authority(_ commonName: String, _ options: CertificateOptions = .init()) throws -> Identity {
        try mint(.authority, commonName: commonName, issuer: nil, options)
    }

    /// Returns a certificate authority below another one. With the key and the name of an existing authority, the
    /// result is a cross-signed certificate of that authority.
    public func intermediate(
        _ commonName: String, signedBy issuer: Identity, _ options: CertificateOptions = .init()
    ) throws -> Identity {
        try mint(.intermediate, commonName: commonName, issuer: issuer, options)
    }

    /// Returns a server's certificate for DNS names and IP addresses (in text form). Without an issuer it is
    /// self-signed.
    ///
    /// Names are written exactly as given.
    ///
    /// - Throws: ``CertificateFactoryError/notAnAddress(_:)`` for an invalid IP address.
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

/// An error of ``CertificateFactory``.
public enum CertificateFactoryError: Error, Hashable, Sendable {
    /// The text is not an IPv4 or IPv6 address.
    case notAnAddress(String)
}

/// Distinguished names with a common name and an organization.
package enum CertificateName {
    /// Returns the DER bytes of a Name. An empty common name is left out.
    package static func der(_ commonName: String, _ organization: String? = nil) -> [UInt8] {
        DERBytes.sequence([
            organization.map { attribute("2.5.4.10", $0) } ?? [],
            commonName.isEmpty ? [] : attribute("2.5.4.3", commonName),
        ])
    }

    /// Returns the DER bytes of a Name with one attribute in each relative name: its type, string tag and bytes.
    package static func der(_ attributes: [(type: String, tag: UInt8, value: [UInt8])]) -> [UInt8] {
        DERBytes.sequence(attributes.map { DERBytes.set([attribute($0.type, DERBytes.element($0.tag, $0.value))]) })
    }

    /// Returns the DER bytes of one attribute with this element as its value.
    package static func attribute(_ type: String, _ value: [UInt8]) -> [UInt8] {
        DERBytes.sequence([DERBytes.objectIdentifier(type), value])
    }

    private static func attribute(_ type: String, _ value: String) -> [UInt8] {
        DERBytes.set([DERBytes.sequence([DERBytes.objectIdentifier(type), DERBytes.utf8String(value)])])
    }
}

/// Parses text forms of IP addresses. It is separate from Holdfast's own host parser, so that a bug in that parser
/// cannot hide in the certificates that test it.
enum AddressBytes {
    /// Returns four or sixteen bytes in network order; `nil` for invalid text. Supports dotted quads and `::`.
    static func parse(_ text: String) -> [UInt8]? {
        text.contains(":") ? ipv6(text) : ipv4(text)
    }

    private static func ipv4(_ text: some StringProtocol) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        let bytes = parts.compactMap(\.self)
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func ipv6(_ text: String) -> [UInt8]? {
        guard let gap = text.firstRange(of: "::") else {
            return groups(text).flatMap { $0.count == 16 ? $0 : nil }
        }
        guard let head = groups(text[..<gap.lowerBound]), let tail = groups(text[gap.upperBound...]),
            head.count + tail.count <= 14
        else { return nil }
        return head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func groups(_ text: some StringProtocol) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        for part in text.split(separator: ":", omittingEmptySubsequences: false) {
            if part.contains(".") {
                guard let quad = ipv4(part) else { return nil }
                bytes += quad
            } else {
                guard let group = UInt16(part, radix: 16) else { return nil }
                bytes += [UInt8(group >> 8), UInt8(group & 0xff)]
            }
        }
        return bytes
    }
}
