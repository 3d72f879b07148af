/// Trust anchors by subject, made once and shared: looking an issuer up must not depend on how many roots there are.
package final class AnchorIndex: Sendable {
    /// The anchors, without duplicates, in the order given.
    package let certificates: [CertificateView]
    private let bySubject: [ArraySlice<UInt8>: [CertificateView]]

    package convenience init(_ certificates: [CertificateView]) {
        self.init(certificates, aliases: [])
    }

    /// Anchors that are found under further names, given as the bytes of the whole name.
    init(_ certificates: [CertificateView], aliases: [(name: ArraySlice<UInt8>, anchor: CertificateView)]) {
        var seen: Set<CertificateView> = []
        let unique = certificates.filter { seen.insert($0).inserted }
        var bySubject = Dictionary(grouping: unique) { $0.parsed.der[$0.parsed.subject] }
        for (name, anchor) in aliases where bySubject[name]?.contains(anchor) != true {
            bySubject[name, default: []].append(anchor)
        }
        self.certificates = unique
        self.bySubject = bySubject
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
