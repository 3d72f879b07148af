public import HoldfastTestSupport
public import HoldfastTrust

/// The certificates of a development server, issued when it starts: root, intermediate and leaf, a backup key, a rogue
/// authority, and every chain that a pinning client must refuse or accept.
public struct ServerCertificateAuthority: Sendable {
    /// The host in the genuine certificate.
    public let host: String
    /// The IP address in the genuine certificate.
    public let ipAddress: String
    /// The host in the certificates of ``CertificateScenario/wrongHost`` and ``CertificateScenario/otherCustomer``.
    public let otherHost = "other.example"

    /// The self-signed root: the trust anchor for clients of this server.
    public let root: Identity
    /// The authority that issues the server's certificates.
    public let intermediate: Identity
    /// The server's own certificate and key.
    public let leaf: Identity
    /// The certificate for the backup key, to which a rotation switches.
    public let backupLeaf: Identity
    /// An authority that is unrelated to the server.
    public let rogueRoot: Identity

    private let factory: CertificateFactory

    /// Issues all certificates, valid around `now`.
    public init(host: String = "localhost", ipAddress: String = "127.0.0.1", now: Timestamp) throws {
        let factory = CertificateFactory(now: now)
        let root = try factory.authority("Holdfast Development Root")
        let intermediate = try factory.intermediate("Holdfast Development Intermediate", signedBy: root)
        self.host = host
        self.ipAddress = ipAddress
        self.factory = factory
        self.root = root
        self.intermediate = intermediate
        self.leaf = try factory.leaf([host], ipAddresses: [ipAddress], signedBy: intermediate)
        self.backupLeaf = try factory.leaf([host], ipAddresses: [ipAddress], signedBy: intermediate)
        self.rogueRoot = try factory.authority("Rogue Root")
    }

    /// The pins of a correctly configured client: the current key and the backup key.
    public var pins: [Pin] { [Pin(leaf.view.spkiDigest), Pin(backupLeaf.view.spkiDigest)] }

    /// Returns the identity of a scenario. All certificates except the genuine and the backup one are issued at each
    /// call.
    public func identity(for scenario: CertificateScenario) throws -> TLSIdentity {
        switch scenario {
        case .genuine: return Self.tlsIdentity(leaf)
        case .rotatedToBackupKey: return Self.tlsIdentity(backupLeaf)
        case .newKeySameAuthority: return Self.tlsIdentity(try mint(signedBy: intermediate))
        case .otherAuthority: return Self.tlsIdentity(try mint(signedBy: rogueRoot))
        case .smuggledLeaf: return Self.tlsIdentity(try mint(signedBy: rogueRoot), smuggling: leaf)
        case .smuggledIntermediate: return Self.tlsIdentity(try mint(signedBy: rogueRoot), smuggling: intermediate)
        case .expired: return Self.tlsIdentity(try mint(signedBy: intermediate, expired(key: leaf.key)))
        case .wrongHost:
            return Self.tlsIdentity(try factory.leaf([otherHost], signedBy: intermediate, .init(key: leaf.key)))
        case .otherCustomer: return Self.tlsIdentity(try factory.leaf([otherHost], signedBy: intermediate))
        case .selfSigned: return Self.tlsIdentity(try mint(signedBy: nil, .init(key: leaf.key)))
        case .selfSignedExpired: return Self.tlsIdentity(try mint(signedBy: nil, expired(key: leaf.key)))
        }
    }

    private func mint(signedBy issuer: Identity?, _ options: CertificateOptions = .init()) throws -> Identity {
        try factory.leaf([host], ipAddresses: [ipAddress], signedBy: issuer, options)
    }

    /// Returns options for a certificate that is valid until one day before the factory's time.
    private func expired(key: Key) -> CertificateOptions {
        let day: Int64 = 86_400
        return CertificateOptions(
            key: key, notBefore: factory.now.advanced(bySeconds: -30 * day),
            notAfter: factory.now.advanced(bySeconds: -day))
    }

    private static func tlsIdentity(_ identity: Identity, smuggling extra: Identity? = nil) -> TLSIdentity {
        TLSIdentity(
            chain: identity.chain + (extra.map { [$0.certificateDER] } ?? []), privateKeyPEM: identity.privateKeyPEM)
    }
}

/// The identities that a server can present: valid and invalid chains for the same host. See
/// ``ServerCertificateAuthority``.
public enum CertificateScenario: String, Hashable, Sendable, CaseIterable {
    /// The server's own certificate and its intermediate.
    case genuine
    /// A certificate for the backup key under the same authority: a planned rotation.
    case rotatedToBackupKey
    /// A certificate for a new key under the same authority. Depending on the pins, this is a renewal or a stolen
    /// certificate.
    case newKeySameAuthority
    /// A certificate for the same host from another authority.
    case otherAuthority
    /// Another authority's certificate, followed by the genuine server's certificate.
    case smuggledLeaf
    /// Another authority's certificate, followed by the genuine intermediate.
    case smuggledIntermediate
    /// The genuine key and authority, but a certificate that expired yesterday.
    case expired
    /// The genuine key and authority, but a certificate for another host.
    case wrongHost
    /// Another customer of the same authority: a new key, for another host.
    case otherCustomer
    /// The genuine key in a self-signed certificate.
    case selfSigned
    /// The genuine key in a self-signed certificate that expired yesterday.
    case selfSignedExpired
}
