import HoldfastTestSupport
import HoldfastTrust

/// Generates revocation lists for a path of a server, an authority and an anchor.
enum ListCases {
    private enum Change: String, CaseIterable {
        case leafRevoked, authorityRevoked, otherRevoked, removed, expired, withoutNextUpdate, future, otherName
        case otherKey, brokenSignature, withoutNumber, scopeURL, scopeKind, scopeReasons, partitions, delta
        case criticalExtension, criticalEntryExtension, unknownExtension, indirect, missing, duplicate, weakHash
        case withoutCRLSign, keyRollover, older, corrupted, withoutKeyIdentifier, dates
    }

    private static let url = "http://crl.example.com/1.crl"

    static func make(_ number: Int, _ world: inout CaseWorld) throws -> DifferentialCase {
        var changes: Set<Change> = []
        for _ in 0..<world.pick([0, 1, 1, 1, 2, 2, 3]) { changes.insert(world.pick(Change.allCases)) }
        let factory = world.factory
        let root = try factory.authority("Root", world.options(world.keys[0]))
        var authorityOptions = world.options(world.keys[1])
        if changes.contains(.withoutCRLSign) { authorityOptions.keyUsage = [.keyCertSign] }
        let authority = try factory.intermediate("Authority", signedBy: root, authorityOptions)
        var leafOptions = world.options(world.keys[6])
        let hasPoint = changes.contains(.scopeURL) || changes.contains(.partitions) || world.chance(30)
        if hasPoint { leafOptions.extraExtensions = [.distributionPoints(url)] }
        let leaf = try factory.leaf([CaseWorld.host], signedBy: authority, leafOptions)

        var first = RevocationListDraft(issuer: root, now: world.now)
        if changes.contains(.authorityRevoked) { first.revoked = [authority] }
        var second = RevocationListDraft(issuer: authority, now: world.now)
        second.number = 5
        change(&second, changes, leaf, &world)
        var drafts = [first, second]
        if changes.contains(.missing) { drafts.remove(at: world.number(0...1)) }
        if changes.contains(.duplicate) { drafts.append(second) }
        if changes.contains(.older) {
            var older = RevocationListDraft(issuer: authority, now: world.now)
            older.number = 1
            older.thisUpdate = world.now.advanced(bySeconds: -7_200)
            if world.chance(50) { older.nextUpdate = world.now.advanced(bySeconds: -60) }
            if world.chance(30) { older.revoked = [leaf] }
            drafts.append(older)
        }
        if changes.contains(.partitions) { drafts.append(partition(second, &world)) }
        if changes.contains(.delta) { drafts.append(delta(authority, leaf, second, &world)) }
        if changes.contains(.indirect) { drafts.append(indirect(root, authority, leaf, &world)) }
        drafts.shuffle(using: &world.random)
        var lists = try drafts.map { try $0.der() }
        let corrupted = changes.contains(.corrupted) && !lists.isEmpty ? world.number(0...lists.count - 1) : nil
        if let corrupted { world.corrupt(&lists[corrupted]) }
        var made = DifferentialCase(
            .lists, number: number, changes: changes.map(\.rawValue).sorted(), anchors: [root.certificateDER],
            chain: [leaf.certificateDER, authority.certificateDER], host: CaseWorld.host, time: world.now)
        made.lists = lists
        made.corruptedList = corrupted
        if drafts.contains(where: { $0.nextUpdate == world.now }) { made.changes.append("lastSecond") }
        return made
    }

    private static func change(
        _ draft: inout RevocationListDraft, _ changes: Set<Change>, _ leaf: Identity, _ world: inout CaseWorld
    ) {
        let unknown = ExtraExtension("1.3.6.1.4.1.99999.8", isCritical: true)
        if changes.contains(.leafRevoked) {
            draft.entries.append(.init(leaf, reason: world.pick([nil, 0, 1, 4, 6, 9, 10])))
        }
        if changes.contains(.removed) { draft.entries.append(.init(leaf, reason: 8)) }
        if changes.contains(.otherRevoked) || changes.contains(.criticalEntryExtension) {
            draft.entries.append(.init(serial: world.serial(), reason: 1))
        }
        if changes.contains(.criticalEntryExtension) { draft.entryExtensions = [unknown] }
        if changes.contains(.criticalExtension) { draft.extensions.append(unknown) }
        if changes.contains(.unknownExtension) {
            draft.extensions.append(ExtraExtension("1.3.6.1.4.1.99999.8"))
            draft.entryExtensions.append(ExtraExtension("1.3.6.1.4.1.99999.8"))
        }
        if changes.contains(.expired) {
            draft.nextUpdate = world.now.advanced(bySeconds: Int64(world.pick([-60, -1])))
        }
        if changes.contains(.withoutNextUpdate) { draft.nextUpdate = nil }
        if changes.contains(.future) { draft.thisUpdate = world.now.advanced(bySeconds: Int64(world.pick([1, 60]))) }
        if changes.contains(.dates) {
            if world.chance(50) { draft.nextUpdate = world.edge() } else { draft.thisUpdate = world.edge() }
        }
        if changes.contains(.otherName) { draft.issuerName = CertificateName.der("Other Authority") }
        if changes.contains(.otherKey) { draft.signingKey = world.keys[7] }
        if changes.contains(.keyRollover) {
            draft.signingKey = world.keys[8]
            draft.keyIdentifierOf = nil
        }
        if changes.contains(.withoutKeyIdentifier) { draft.keyIdentifierOf = nil }
        if changes.contains(.brokenSignature) { draft.breaksSignature = true }
        if changes.contains(.withoutNumber) { draft.omitsNumber = true }
        if changes.contains(.weakHash) { draft.signatureHash = .sha1 }
        changeScope(&draft, changes, &world)
    }

    private static func changeScope(
        _ draft: inout RevocationListDraft, _ changes: Set<Change>, _ world: inout CaseWorld
    ) {
        var scope = RevocationListDraft.Scope()
        if changes.contains(.scopeURL) { scope.urls = [world.pick([url, "http://crl.example.com/2.crl"])] }
        if changes.contains(.partitions) { scope.urls = [url] }
        if changes.contains(.scopeKind) {
            switch world.number(0...3) {
            case 0: scope.onlyUserCertificates = true
            case 1: scope.onlyAuthorities = true
            case 2: scope.onlyAttributeCertificates = true
            default: scope.isIndirect = true
            }
        }
        if changes.contains(.scopeReasons) { scope.reasonFlags = world.pick([[1], [2, 3], Array(1...8)]) }
        if scope != RevocationListDraft.Scope() { draft.scope = scope }
    }

    /// Returns a second partition. It has another address, or the other reasons.
    private static func partition(_ draft: RevocationListDraft, _ world: inout CaseWorld) -> RevocationListDraft {
        var other = draft
        other.number = 6
        var scope = draft.scope ?? RevocationListDraft.Scope()
        if world.chance(50) { scope.urls = ["http://crl.example.com/2.crl"] } else { scope.reasonFlags = Array(2...8) }
        other.scope = scope
        return other
    }

    private static func delta(
        _ issuer: Identity, _ leaf: Identity, _ base: RevocationListDraft, _ world: inout CaseWorld
    ) -> RevocationListDraft {
        var delta = RevocationListDraft(issuer: issuer, now: world.now)
        delta.number = UInt8(world.pick([4, 5, 6, 7]))
        delta.baseNumber = UInt8(world.pick([1, 4, 5, 6]))
        delta.scope = world.chance(80) ? base.scope : .init("http://crl.example.com/3.crl")
        if world.chance(50) { delta.entries = [.init(leaf, reason: world.pick([1, 6, 8]))] }
        if world.chance(15) { delta.nextUpdate = world.now.advanced(bySeconds: -60) }
        if world.chance(15) { delta.signingKey = world.keys[7] }
        if world.chance(10) { delta.breaksSignature = true }
        return delta
    }

    /// Returns a list of the root with an entry for a certificate of the authority.
    private static func indirect(
        _ root: Identity, _ authority: Identity, _ leaf: Identity, _ world: inout CaseWorld
    ) -> RevocationListDraft {
        var list = RevocationListDraft(issuer: root, now: world.now)
        list.number = 9
        var scope = RevocationListDraft.Scope()
        scope.isIndirect = world.chance(80)
        list.scope = scope
        list.entries = [.init(leaf, reason: 1, issuer: world.chance(70) ? authority : nil)]
        return list
    }
}
