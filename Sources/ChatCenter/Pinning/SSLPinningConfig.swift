public import HoldfastTrust

/// Which servers the chat trusts.
///
/// With ``trustedCertificates``, their keys take the place of the system's verification: the server passes if the key of
/// its own certificate, or of a CA that it is linked to by verified signatures, is one of the listed ones. Without, the
/// system decides. List at least two certificates, the current one and the next.
public struct SSLPinningConfig: Hashable, Sendable {
    /// Accepts any server, an attacker too. `false` by default; ignored while ``trustedCertificates`` is not empty.
    ///
    /// Never for production. While it is in force the SDK says so: an error line at start and at each connection,
    /// ``ChatConnectionState/security`` and the effective configuration.
    public var allowUntrustedSSLCertificate: Bool
    /// The certificates whose keys are trusted. Empty by default: the system's verification decides.
    ///
    /// Unreadable ones are skipped; a list of nothing else refuses every connection with the finding `noUsablePins`.
    public var trustedCertificates: [ChatSSLCertificate]
    /// Whether the server's certificate must also be valid for the host.
    ///
    /// `.automatic`, the default, asks for it where a CA's key matched, since any customer of that CA could impersonate
    /// the server otherwise (RFC 6125); a match on the server's own key needs nothing more. `.never` is the behaviour
    /// that the modelled product documents.
    public var hostnameVerification: PinnedKeysOnly.HostnameVerification

    /// Who judges servers of absolute addresses in messages that are none of ``ChatTransportConfig``'s. By default the
    /// same certificates; no credential and no header of the chat goes to them in any case.
    public var foreignOriginTrust: ChatForeignOriginTrust

    /// Puts the settings together; the defaults are the documented ones, that is the system's verification.
    public init(
        allowUntrustedSSLCertificate: Bool = false, trustedCertificates: [ChatSSLCertificate] = [],
        hostnameVerification: PinnedKeysOnly.HostnameVerification = .automatic,
        foreignOriginTrust: ChatForeignOriginTrust = .sameCertificates
    ) {
        self.allowUntrustedSSLCertificate = allowUntrustedSSLCertificate
        self.trustedCertificates = trustedCertificates
        self.hostnameVerification = hostnameVerification
        self.foreignOriginTrust = foreignOriginTrust
    }

    /// Requires these certificates: throws ``SSLPinningConfigError`` if there are none, or if one cannot be read.
    ///
    /// With this initialiser a file that is missing from the bundle cannot switch pinning off.
    public init(
        requiring certificates: [ChatSSLCertificate],
        hostnameVerification: PinnedKeysOnly.HostnameVerification = .automatic
    ) throws(SSLPinningConfigError) {
        guard !certificates.isEmpty else { throw SSLPinningConfigError(.noCertificates) }
        let unreadable = certificates.filter { $0.loadError != nil }
        guard unreadable.isEmpty else { throw SSLPinningConfigError(.unreadableCertificates, unreadable: unreadable) }
        self.init(trustedCertificates: certificates, hostnameVerification: hostnameVerification)
    }
}
