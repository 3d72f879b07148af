import HoldfastTrust

/// A certificate of a report, as listed for readers.
struct ReportedCertificate: Hashable, Sendable {
    /// The subject; `nil` if the certificate cannot be read.
    var subject: String?
    /// The SHA-256 of its key in base64: the value of a pin.
    var pin: String?
    var notAfter: Timestamp?

    init(_ certificate: CertificateView) {
        subject = certificate.subject
        pin = certificate.spkiDigest.base64
        notAfter = certificate.notAfter
    }

    /// A certificate that cannot be read.
    static let unreadable = ReportedCertificate()

    private init() {}

    var json: JSONNode.Value {
        .fields([
            ("subject", subject.map { .string($0) } ?? .null), ("pin", pin.map { .string($0) } ?? .null),
            ("notAfter", notAfter.map { .text($0) } ?? .null),
        ])
    }
}
