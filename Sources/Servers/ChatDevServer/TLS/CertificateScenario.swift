/// What a server can show of itself: honest and dishonest chains for the same host. See ``ServerCertificateAuthority``.
public enum CertificateScenario: String, Hashable, Sendable, CaseIterable {
    /// The server's own certificate and its intermediate.
    case genuine
    /// A certificate for the backup key under the same authority: a planned rotation.
    case rotatedToBackupKey
    /// A certificate for a fresh key under the same authority: a renewal, or a theft, by what is pinned.
    case newKeySameAuthority
    /// A certificate for the same host, by another authority.
    case otherAuthority
    /// Another authority's certificate, with the genuine server's certificate sent behind it.
    case smuggledLeaf
    /// Another authority's certificate, with the genuine intermediate sent behind it.
    case smuggledIntermediate
    /// The genuine key and authority, but the certificate ran out yesterday.
    case expired
    /// The genuine key and authority, but a certificate for another host.
    case wrongHost
    /// Another customer of the same authority: a fresh key, for another host.
    case otherCustomer
    /// The genuine key in a self-signed certificate.
    case selfSigned
    /// The genuine key in a self-signed certificate that ran out yesterday.
    case selfSignedExpired
}
