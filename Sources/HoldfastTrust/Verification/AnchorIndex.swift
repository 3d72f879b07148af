/// Trust anchors by subject, made once and shared: looking an issuer up must not depend on how many roots there are.
package final class AnchorIndex: Sendable {
    /// The anchors, without duplicates, in the order given.
    package let certificates: [CertificateView]
    private let bySubject: [ArraySlice<UInt8>: [CertificateView]]

    package init(_ certificates: [CertificateView]) {
        var seen: Set<CertificateView> = []
        let unique = certificates.filter { seen.insert($0).inserted }
        self.certificates = unique
        self.bySubject = Dictionary(grouping: unique) { $0.parsed.der[$0.parsed.subject] }
    }

    /// The anchors with this subject, given as the bytes of the whole name.
    func named(_ subject: ArraySlice<UInt8>) -> [CertificateView] {
        bySubject[subject] ?? []
    }

    /// Whether this very certificate is an anchor.
    func contains(_ certificate: CertificateView) -> Bool {
        named(certificate.parsed.der[certificate.parsed.subject]).contains(certificate)
    }

    package var isEmpty: Bool { certificates.isEmpty }
}
