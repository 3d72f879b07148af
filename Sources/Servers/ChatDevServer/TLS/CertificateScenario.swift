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
