/// Why a certificate could not be minted.
public enum CertificateFactoryError: Error, Hashable, Sendable {
    /// The text is no IPv4 or IPv6 address.
    case notAnAddress(String)
}
