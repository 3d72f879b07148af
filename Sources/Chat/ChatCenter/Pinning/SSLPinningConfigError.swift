public import HoldfastTrust

/// A list of certificates that ``SSLPinningConfig/init(requiring:hostnameVerification:)`` refuses.
public struct SSLPinningConfigError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label.
    public enum Code: String, Hashable, Sendable, CaseIterable {
        /// The list is empty: nothing would be pinned.
        case noCertificates
        /// At least one certificate could not be read.
        case unreadableCertificates
    }

    /// One certificate that could not be read.
    public struct Unreadable: Hashable, Sendable {
        /// Where it came from.
        public var source: String
        /// Why it could not be read.
        public var error: CertificateError
    }

    /// The kind of failure.
    public var code: Code
    /// The certificates that could not be read.
    public var unreadable: [Unreadable]

    init(_ code: Code, unreadable: [ChatSSLCertificate] = []) {
        self.code = code
        self.unreadable = unreadable.compactMap { certificate in
            certificate.loadError.map { Unreadable(source: certificate.source, error: $0) }
        }
    }

    public var description: String {
        switch code {
        case .noCertificates: "Pinning was required, but the list of trusted certificates is empty."
        case .unreadableCertificates: unreadable.map { "\($0.source): \($0.error.reason)" }.joined(separator: " ")
        }
    }
}
