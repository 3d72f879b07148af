/// The certificates that a path may end in.
///
/// An anchor is held to the same rules as every other authority on the path (dates, CA bit, constraints); only its own
/// signature is not checked.
public struct TrustAnchors: Sendable {
    private enum Source: Sendable {
        case system
        case listed(AnchorIndex)
    }

    private let sources: [Source]

    /// The machine's own roots, read at the first use and again when they change. See ``SystemRoots``.
    public static let system = TrustAnchors(sources: [.system])

    /// These certificates and no others.
    public static func only(_ certificates: [CertificateView]) -> TrustAnchors {
        TrustAnchors(sources: [.listed(AnchorIndex(certificates))])
    }

    /// These certificates beside the machine's own roots.
    public static func system(and certificates: [CertificateView]) -> TrustAnchors {
        TrustAnchors(sources: [.system, .listed(AnchorIndex(certificates))])
    }

    /// These anchors and some more.
    func adding(_ certificates: [CertificateView]) -> TrustAnchors {
        certificates.isEmpty ? self : TrustAnchors(sources: sources + [.listed(AnchorIndex(certificates))])
    }

    #if canImport(Security)
    /// The anchors beside the machine's own; `nil` if those are none of them.
    var besideSystem: [CertificateView]? {
        var isSystem = false
        var others: [CertificateView] = []
        for source in sources {
            switch source {
            case .system: isSystem = true
            case .listed(let index): others += index.certificates
            }
        }
        return isSystem ? others : nil
    }
    #endif

    /// The anchors as they stand at `time`.
    ///
    /// Throws the finding `noTrustAnchors` if there are none, or if the machine's own roots cannot be read: going on
    /// with the rest would turn a broken installation into a refusal that nobody understands.
    func resolve(at time: Timestamp) throws(TrustFinding) -> [AnchorIndex] {
        var indexes: [AnchorIndex] = []
        for source in sources {
            switch source {
            case .listed(let index): indexes.append(index)
            case .system: indexes.append(try TrustAnchors.systemIndex(at: time))
            }
        }
        guard indexes.contains(where: { !$0.isEmpty }) else {
            throw TrustFinding(.noTrustAnchors, "There is not one trust anchor, so no server can be trusted.")
        }
        return indexes
    }

    private static func systemIndex(at time: Timestamp) throws(TrustFinding) -> AnchorIndex {
        do throws(SystemRootsError) {
            return try SystemRootStore.shared.current(at: time).index
        } catch {
            throw TrustFinding(.noTrustAnchors, error.reason)
        }
    }
}

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
