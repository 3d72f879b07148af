/// Trust anchors by subject, made once and shared: looking an issuer up must not depend on how many roots there are.
package final class AnchorIndex: Sendable {
    /// The anchors, without duplicates, in the order given.
    package let certificates: [CertificateView]
    private let bySubject: [NameDigest: [CertificateView]]

    package convenience init(_ certificates: [CertificateView]) {
        self.init(certificates, aliases: [])
    }

    /// Anchors that are found under further names.
    init(_ certificates: [CertificateView], aliases: [(name: NameDigest, anchor: CertificateView)]) {
        var seen: Set<CertificateView> = []
        let unique = certificates.filter { seen.insert($0).inserted }
        var bySubject = Dictionary(grouping: unique) { $0.parsed.subjectName }
        for (name, anchor) in aliases where bySubject[name]?.contains(anchor) != true {
            bySubject[name, default: []].append(anchor)
        }
        self.certificates = unique
        self.bySubject = bySubject
    }

    /// The anchors with this subject.
    func named(_ subject: NameDigest) -> [CertificateView] {
        bySubject[subject] ?? []
    }

    /// Whether this very certificate is an anchor.
    func contains(_ certificate: CertificateView) -> Bool {
        named(certificate.parsed.subjectName).contains(certificate)
    }

    package var isEmpty: Bool { certificates.isEmpty }
}
