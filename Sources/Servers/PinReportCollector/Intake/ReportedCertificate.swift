import HoldfastTrust

/// What is listed of a certificate in a report.
struct ReportedCertificate: Hashable, Sendable {
    /// The subject; `nil` for a certificate that cannot be read.
    var subject: String?
    /// The SHA-256 of its key in base64: what a pin of it would be.
    var pin: String?
    var notAfter: Timestamp?

    init(_ certificate: CertificateView) {
        subject = certificate.subject
        pin = certificate.spkiDigest.base64
        notAfter = certificate.notAfter
    }

    /// One that a server sent and nobody can read.
    static let unreadable = ReportedCertificate()

    private init() {}

    var json: JSONNode.Value {
        .fields([
            ("subject", subject.map { .string($0) } ?? .null), ("pin", pin.map { .string($0) } ?? .null),
            ("notAfter", notAfter.map { .text($0) } ?? .null),
        ])
    }
}
