import HoldfastTestSupport
import HoldfastTrust

/// An attack on the connection of a client, as a server that the attacker runs in place of the site's.
///
/// The named attacks are in ``all``. An app can add its own:
///
/// ```swift
/// let weakKey = PinAttack("weakKey", "The attacker's key is RSA with 1024 bits.") { site in
///     try LoopbackHandshake(site.certificate(signedBy: site.otherAuthority, .with { $0.keyKind = .rsa1024 }))
/// }
/// ```
public struct PinAttack: Hashable, Sendable, CustomStringConvertible {
    /// The name, which identifies the attack.
    public let name: String
    /// What the attacker does, in one sentence.
    public let summary: String
    private let prepare: @Sendable (PinnedSite) throws -> LoopbackHandshake

    /// Creates an attack.
    ///
    /// - Parameters:
    ///   - name: The name, which identifies the attack.
    ///   - summary: What the attacker does, in one sentence.
    ///   - handshake: Returns what the attacker's server presents for a site.
    public init(
        _ name: String, _ summary: String, handshake: @escaping @Sendable (PinnedSite) throws -> LoopbackHandshake
    ) {
        self.name = name
        self.summary = summary
        self.prepare = handshake
    }

    /// Returns what the attacker's server presents. Throws the error of the attack's closure, such as that of the
    /// certificate factory.
    public func handshake(for site: PinnedSite) throws -> LoopbackHandshake { try prepare(site) }

    /// The name.
    public var description: String { name }

    /// Returns whether the names are equal.
    public static func == (lhs: PinAttack, rhs: PinAttack) -> Bool { lhs.name == rhs.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension PinAttack {
    /// All named attacks.
    public static let all: [PinAttack] = [
        .wrongKey, .smuggledPin, .wrongHost, .expired, .unknownAuthority, .downgrade, .cutAfterCertificate,
    ]

    /// Another authority that the client trusts issued a valid certificate for the host to the attacker. Every client
    /// that only verifies the chain accepts it.
    public static let wrongKey = PinAttack(
        "wrongKey", "Another trusted authority issued a certificate for the host to the attacker."
    ) { site in
        try LoopbackHandshake(site.attacker(under: site.otherAuthority))
    }

    /// The attack ``wrongKey``, but the attacker appends the site's pinned certificates to its own. A client that
    /// compares pins with the sent certificates, instead of the verified path, accepts it.
    public static let smuggledPin = PinAttack(
        "smuggledPin", "As wrongKey, with the pinned certificates appended to the attacker's chain."
    ) { site in
        let attacker = try site.attacker(under: site.otherAuthority)
        return LoopbackHandshake(
            attacker, chain: attacker.chain + site.identity.chain + [site.authority.certificateDER])
    }

    /// The server has the pinned key and a certificate of the site's authority, but for another host. A client that
    /// compares only keys accepts it. An attacker gets such a connection by leading the client to another server of the
    /// operator, or with a certificate of a pinned authority.
    public static let wrongHost = PinAttack(
        "wrongHost", "The certificate has the pinned key, but is for another host."
    ) { site in
        try LoopbackHandshake(
            site.factory.leaf(
                ["other.holdfast.test"], signedBy: site.intermediate, CertificateOptions(key: site.identity.key)))
    }

    /// The certificate has the pinned key and the host, but has expired an hour ago. A client that compares only keys
    /// accepts it.
    public static let expired = PinAttack(
        "expired", "The certificate has the pinned key, but has expired an hour ago."
    ) { site in
        try LoopbackHandshake(
            site.certificate(
                signedBy: site.intermediate,
                CertificateOptions(key: site.identity.key, notAfter: site.factory.now.advanced(bySeconds: -3_600))))
    }

    /// An authority that the client does not trust issued the certificate. Only a client that does not verify chains
    /// accepts it.
    public static let unknownAuthority = PinAttack(
        "unknownAuthority", "An authority that the client does not trust issued the attacker's certificate."
    ) { site in
        try LoopbackHandshake(site.attacker(under: site.factory.authority("Unknown Authority")))
    }

    /// The server offers only TLS 1.0 and TLS 1.1, with the site's own certificate. Clients must not negotiate these
    /// versions (RFC 8996).
    ///
    /// Deliberately not part of this attack: a cleartext response, which the TLS library of every client refuses, and a
    /// redirect to `http:`, which only the site's real server could send.
    public static let downgrade = PinAttack(
        "downgrade", "The server offers only TLS 1.0 and TLS 1.1."
    ) { site in
        LoopbackHandshake(site.identity, versions: .deprecated)
    }

    /// The attack ``wrongKey``, but the attacker closes the connection after its certificates. The client must fail and
    /// must not repeat the request without TLS. Every client that does not hang passes, also one without pins.
    public static let cutAfterCertificate = PinAttack(
        "cutAfterCertificate", "As wrongKey, but the attacker closes the connection after its certificates."
    ) { site in
        try LoopbackHandshake(site.attacker(under: site.otherAuthority), closesAfterCertificates: true)
    }
}

extension PinnedSite {
    /// Returns an attacker's certificate for the site's names, below a new intermediate authority.
    fileprivate func attacker(under root: Identity) throws -> Identity {
        try certificate(signedBy: factory.intermediate("Attacker's Intermediate", signedBy: root))
    }
}
