/// The certificates in which a path may end.
///
/// An anchor must meet the same requirements as every other authority on the path (dates, CA bit, constraints). Only
/// its own signature is not checked. A list can set further constraints (``TrustAnchor``). If a certificate is in
/// several lists, the constraints of all of them apply.
public struct TrustAnchors: Sendable {
    private enum Source: Sendable {
        case system
        case listed(AnchorIndex)
    }

    private let sources: [Source]

    /// The machine's root certificates. They are read at the first use and again when they change. See ``SystemRoots``.
    public static let system = TrustAnchors(sources: [.system])

    /// Returns anchors that consist only of the given certificates.
    public static func only(_ certificates: [CertificateView]) -> TrustAnchors {
        TrustAnchors(sources: [.listed(AnchorIndex(certificates))])
    }

    /// Returns anchors that consist of the machine's root certificates and the given certificates.
    public static func system(and certificates: [CertificateView]) -> TrustAnchors {
        TrustAnchors(sources: [.system, .listed(AnchorIndex(certificates))])
    }

    /// Returns anchors that consist only of the given ones, with their constraints.
    public static func only(anchors: [TrustAnchor]) -> TrustAnchors {
        TrustAnchors(sources: [.listed(AnchorIndex(anchors))])
    }

    /// Returns anchors that consist of the machine's root certificates and the given anchors.
    ///
    /// The constraints also apply to certificates that are among the machine's roots. For example, constraints from
    /// Mozilla's list can limit the roots that Linux distributions install without them.
    public static func system(andAnchors anchors: [TrustAnchor]) -> TrustAnchors {
        TrustAnchors(sources: [.system, .listed(AnchorIndex(anchors))])
    }

    /// Returns these anchors and the given certificates.
    func adding(_ certificates: [CertificateView]) -> TrustAnchors {
        certificates.isEmpty ? self : TrustAnchors(sources: sources + [.listed(AnchorIndex(certificates))])
    }

    /// Returns anchors that consist only of the given certificates. The constraints that these anchors set for a
    /// certificate remain: a policy must not lift the constraints of a list.
    func replaced(by certificates: [CertificateView]) -> TrustAnchors {
        .only(
            anchors: certificates.flatMap { certificate -> [TrustAnchor] in
                let constraints = sources.flatMap { source -> [TrustAnchorConstraints] in
                    if case .listed(let index) = source { index.constraints(of: certificate) } else { [] }
                }
                return [TrustAnchor(certificate)] + constraints.map { TrustAnchor(certificate, constraints: $0) }
            })
    }

    /// Returns whether a certificate is a local anchor: the app or its policy listed it, and it is not one of the
    /// machine's roots, even if those are not among the sources.
    ///
    /// A machine without roots has only local anchors. On Apple platforms, the platform's roots cannot be listed, so
    /// that every listed anchor is local.
    func isLocal(_ certificate: CertificateView, at time: Timestamp) -> Bool {
        let isListed = sources.contains { source in
            if case .listed(let index) = source { index.contains(certificate) } else { false }
        }
        guard isListed else { return false }
        #if canImport(Security)
        return true
        #else
        do throws(SystemRootsError) {
            return try !SystemRootStore.shared.current(at: time).index.contains(certificate)
        } catch {
            return error.code == .noRoots
        }
        #endif
    }

    /// Returns these anchors and the given ones, with their constraints.
    public func adding(anchors: [TrustAnchor]) -> TrustAnchors {
        anchors.isEmpty ? self : TrustAnchors(sources: sources + [.listed(AnchorIndex(anchors))])
    }

    #if canImport(Security)
    /// The anchors in addition to the machine's root certificates, or `nil` if these do not include the machine's.
    var besideSystem: [AnchorIndex]? {
        var isSystem = false
        var others: [AnchorIndex] = []
        for source in sources {
            switch source {
            case .system: isSystem = true
            case .listed(let index): others.append(index)
            }
        }
        return isSystem ? others : nil
    }
    #endif

    /// Returns the anchors at `time`.
    ///
    /// Throws the finding `noTrustAnchors` if there are none, or if the machine's roots cannot be read. Continuing with
    /// the other anchors would hide the broken installation behind an unclear refusal.
    func resolve(at time: Timestamp) throws(TrustFinding) -> [AnchorIndex] {
        var indexes: [AnchorIndex] = []
        for source in sources {
            switch source {
            case .listed(let index): indexes.append(index)
            case .system: indexes.append(try TrustAnchors.systemIndex(at: time))
            }
        }
        guard indexes.contains(where: { !$0.isEmpty }) else {
            throw TrustFinding(.noTrustAnchors, "There are no trust anchors, so no server can be trusted.")
        }
        return indexes
    }

    /// Whether ``resolve(at:)`` returns immediately at `time`, without reading files or asking the platform. Never
    /// blocks.
    func isReady(at time: Timestamp) -> Bool {
        sources.allSatisfy { source in
            switch source {
            case .listed: return true
            case .system:
                #if canImport(Security)
                return false
                #else
                return SystemRootStore.shared.isReady(at: time)
                #endif
            }
        }
    }

    private static func systemIndex(at time: Timestamp) throws(TrustFinding) -> AnchorIndex {
        do throws(SystemRootsError) {
            return try SystemRootStore.shared.current(at: time).index
        } catch {
            throw TrustFinding(.noTrustAnchors, error.reason)
        }
    }
}

/// Trust anchors indexed by subject. The index is created once and shared, so that the time to find an issuer does not
/// depend on the number of roots.
package final class AnchorIndex: Sendable {
    /// The anchors in the given order, without duplicates.
    package let certificates: [CertificateView]
    private let bySubject: [NameDigest: [CertificateView]]
    /// The constraints of the anchors that have any, in the given order.
    private let constraints: [CertificateView: [TrustAnchorConstraints]]

    /// Creates an index. `aliases` are additional names under which anchors are found.
    convenience init(_ certificates: [CertificateView], aliases: [(name: NameDigest, anchor: CertificateView)] = []) {
        self.init(certificates, aliases: aliases, constraints: [:])
    }

    /// Creates an index of anchors with constraints.
    convenience init(_ anchors: [TrustAnchor]) {
        var constraints: [CertificateView: [TrustAnchorConstraints]] = [:]
        for anchor in anchors where anchor.constraints != .none {
            constraints[anchor.certificate, default: []].append(anchor.constraints)
        }
        self.init(anchors.map(\.certificate), aliases: [], constraints: constraints)
    }

    private init(
        _ certificates: [CertificateView], aliases: [(name: NameDigest, anchor: CertificateView)],
        constraints: [CertificateView: [TrustAnchorConstraints]]
    ) {
        var seen: Set<CertificateView> = []
        let unique = certificates.filter { seen.insert($0).inserted }
        var bySubject = Dictionary(grouping: unique) { $0.parsed.subjectName }
        for (name, anchor) in aliases where bySubject[name]?.contains(anchor) != true {
            bySubject[name, default: []].append(anchor)
        }
        self.certificates = unique
        self.bySubject = bySubject
        self.constraints = constraints
    }

    /// Whether the list sets constraints for any anchor.
    var hasConstraints: Bool { !constraints.isEmpty }

    /// Returns the constraints of an anchor; empty if it has none or is not in the list.
    func constraints(of certificate: CertificateView) -> [TrustAnchorConstraints] {
        constraints[certificate] ?? []
    }

    /// Returns the anchors with this subject.
    func named(_ subject: NameDigest) -> [CertificateView] {
        bySubject[subject] ?? []
    }

    /// Returns whether the certificate is an anchor.
    func contains(_ certificate: CertificateView) -> Bool {
        named(certificate.parsed.subjectName).contains(certificate)
    }

    package var isEmpty: Bool { certificates.isEmpty }
}
