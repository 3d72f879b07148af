package import HoldfastTrust

/// A certificate of a report, decoded for people.
package struct DecodedCertificate: Hashable, Sendable {
    /// The maximum number of names that are shown. A certificate can have thousands. `nameCount` counts all of them.
    package static let nameLimit = 100

    /// The subject.
    package var subject: String
    /// The issuer.
    package var issuer: String
    private var allNames: [String]
    /// The begin of the validity period; `nil` if it is malformed.
    package var notBefore: Timestamp?
    /// The end of the validity period, inclusive; `nil` if it is malformed.
    package var notAfter: Timestamp?
    /// The pin of the key, such as `sha256/…`.
    package var pin: String
    /// The kind and size of the key.
    package var key: String
    /// Whether the certificate is one of an authority.
    package var isAuthority: Bool
    /// Whether subject and issuer are the same name.
    package var isSelfIssued: Bool
    /// The SHA-256 hash of the certificate.
    package var fingerprint: String
    /// Violations of the certificate format.
    package var defects: [String]

    /// Decodes a certificate.
    package init(_ view: CertificateView) {
        subject = view.subject
        issuer = view.issuer
        allNames = view.names
        notBefore = view.notBefore
        notAfter = view.notAfter
        pin = view.spkiDigest.description
        key = view.keyDescription
        isAuthority = view.isCertificateAuthority
        isSelfIssued = view.isSelfIssued
        fingerprint = view.certificateDigest.description
        defects = view.defects
    }

    /// The DNS names and IP addresses, at most ``nameLimit``.
    package var names: [String] { Array(allNames.prefix(Self.nameLimit)) }

    /// The number of all names.
    package var nameCount: Int { allNames.count }

    /// Returns whether the certificate is valid for a host: by a DNS name, with a wildcard for one label, or by an
    /// address (RFC 9525, section 6.3).
    package func covers(_ host: CanonicalHost) -> Bool {
        allNames.contains { name in
            guard name.hasPrefix("*.") else { return (try? CanonicalHost(name)) == host }
            guard !host.isIPLiteral, let dot = host.text.firstIndex(of: "."),
                let parent = try? CanonicalHost(String(name.dropFirst(2)))
            else { return false }
            return host.text[host.text.index(after: dot)...] == parent.text
        }
    }

    /// Returns whether the validity period contains an instant. A malformed period contains none.
    package func isValid(at time: Timestamp) -> Bool {
        guard let notBefore, let notAfter else { return false }
        return notBefore <= time && time <= notAfter
    }
}

/// A certificate chain of a report.
package struct DecodedChain: Hashable, Sendable {
    /// The maximum number of certificates that are decoded. Further ones are ignored.
    package static let limit = 20

    /// The certificates in the order of the report, the server's own first; `nil` for unreadable ones.
    package var certificates: [DecodedCertificate?]

    /// Creates a chain.
    package init(_ certificates: [DecodedCertificate?]) {
        self.certificates = certificates
    }

    /// Decodes a chain of PEM texts. A text that is not one readable certificate becomes `nil`.
    init(pem texts: [String]) {
        certificates = texts.prefix(Self.limit).map { text in
            guard let blocks = try? PEMReader.blocks(in: Array(text.utf8)), blocks.count == 1, let block = blocks.first,
                block.isCertificate, let view = try? CertificateView(der: block.der)
            else { return nil }
            return DecodedCertificate(view)
        }
    }

    /// The readable certificates.
    package var readable: [DecodedCertificate] { certificates.compactMap(\.self) }

    /// The server's own certificate, if it is readable.
    package var leaf: DecodedCertificate? { certificates.first ?? nil }

    /// The name of the root: the issuer of the topmost certificate. Several chains with one root have the same name,
    /// whether or not they contain the root.
    package var rootName: String? { readable.last?.issuer }
}
