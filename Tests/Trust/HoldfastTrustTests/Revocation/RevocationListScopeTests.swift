import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests which certificates a revocation list covers, and that a list never counts for others.
@Suite("Scope of revocation lists")
struct RevocationListScopeTests {
    static let first = "http://lists.example/1.crl"
    static let second = "http://lists.example/2.crl"

    let fixture: RevocationScene
    /// A server certificate that names the first distribution point.
    let server: Identity

    init() throws {
        fixture = try RevocationScene()
        server = try Self.server(fixture, .distributionPoints(Self.first))
    }

    private static func server(_ fixture: RevocationScene, _ points: ExtraExtension...) throws -> Identity {
        var options = CertificateOptions()
        options.extraExtensions = points
        return try fixture.scene.factory.leaf([TrustScene.host], signedBy: fixture.issuing, options)
    }

    /// Returns the verdict on a server if each of its certificates needs a list. The root's list is always there.
    private func verdict(
        _ server: Identity? = nil, _ lists: [[UInt8]], required: Bool = true, presented: [Identity] = [],
        anchor: Identity? = nil
    ) throws -> TrustVerdict {
        let root = anchor ?? fixture.root
        let all = lists + [try RevocationListDraft(issuer: root).der()]
        return try TrustEngine(
            anchors: fixture.scene.anchors([root]),
            revocationLists: all.map { bytes in try RevocationList(der: bytes) }, requiresRevocationLists: required
        ).evaluate(
            fixture.scene.chain([server ?? self.server, fixture.issuing] + presented), for: fixture.scene.subject(),
            at: fixture.now)
    }

    // MARK: - Partitions

    @Test("an attacker passes off the list of another partition: it counts neither for nor against the server")
    func otherPartition() throws {
        let own = try fixture.list { $0.scope = .init(Self.first) }
        let other = try fixture.list { $0.scope = .init(Self.second) }
        #expect(try verdict(nil, [own]).decision == .allow)
        expectOnly(.revocationUnavailable, try verdict(nil, [other]))
        // Only the name of the partition protects: in its own partition, the same empty list accepts the server.
        #expect(try verdict(try Self.server(fixture, .distributionPoints(Self.second)), [other]).decision == .allow)
        // A revocation in the list of another partition is not about this certificate.
        let foreign = try fixture.list(revoking: [server]) { $0.scope = .init(Self.second) }
        #expect(try verdict(nil, [own, foreign]).decision == .allow)
        expectOnly(
            .revoked, try verdict(nil, [fixture.list(revoking: [server]) { $0.scope = .init(Self.first) }, foreign]))
    }

    @Test("one common name of list and distribution point suffices; a certificate without points needs a list for all")
    func names() throws {
        let both = try fixture.list { $0.scope = .init(Self.second, Self.first) }
        #expect(try verdict(nil, [both]).decision == .allow)
        let pointless = try Self.server(fixture)
        expectOnly(.revocationUnavailable, try verdict(pointless, [both]))
        #expect(try verdict(pointless, [fixture.list()]).decision == .allow)
        #expect(try verdict(nil, [fixture.list()]).decision == .allow)
    }

    @Test("lists for users, for authorities and for attribute certificates cover only these")
    func kinds() throws {
        func scoped(_ change: (inout RevocationListDraft.Scope) -> Void, _ issuer: Identity? = nil) throws -> [UInt8] {
            var scope = RevocationListDraft.Scope()
            change(&scope)
            return try fixture.list(by: issuer) { $0.scope = scope }
        }
        let users = try scoped { $0.onlyUserCertificates = true }
        #expect(try verdict(nil, [users]).decision == .allow)
        for other in [try scoped { $0.onlyAuthorities = true }, try scoped { $0.onlyAttributeCertificates = true }] {
            expectOnly(.revocationUnavailable, try verdict(nil, [other]))
            #expect(try verdict(nil, [other], required: false).decision == .allow)
        }
    }

    @Test("lists for some reasons count only together")
    func reasons() throws {
        func part(_ flags: [Int], revoking: [Identity] = []) throws -> [UInt8] {
            try fixture.list(revoking: revoking) {
                $0.scope = .init(Self.first)
                $0.scope?.reasonFlags = flags
            }
        }
        let (keys, rest) = (try part([1, 2]), try part([3, 4, 5, 6, 7, 8]))
        #expect(try verdict(nil, [keys, rest]).decision == .allow)
        for required in [true, false] {
            expectOnly(.revocationListIncomplete, try verdict(nil, [keys], required: required))
        }
        expectOnly(.revoked, try verdict(nil, [keys, part([3, 4, 5, 6, 7, 8], revoking: [server])]))
        // A distribution point may also limit the reasons.
        let limited = try Self.server(
            fixture, .distributionPoints(Self.first, reasonFlags: [1, 2]))
        let full = try fixture.list { $0.scope = .init(Self.first) }
        expectOnly(.revocationListIncomplete, try verdict(limited, [full]))
    }

    // MARK: - Keys

    @Test("after a key roll-over, the list of another key of the same name neither counts nor refuses")
    func otherKey() throws {
        // The new certificate has the same name and another key. The server does not present it.
        let renewed = try fixture.scene.factory.intermediate("Issuing", signedBy: fixture.root)
        let foreign = try fixture.list(by: renewed, revoking: [server])
        #expect(try verdict(nil, [foreign], required: false).decision == .allow)
        expectOnly(.revocationUnavailable, try verdict(nil, [foreign]))
        #expect(try verdict(nil, [foreign, fixture.list()]).decision == .allow)
    }

    @Test("a revoked server presents a certificate of its issuer with another key identifier: the list still counts")
    func otherKeyIdentifier() throws {
        let twin = try fixture.scene.factory.intermediate(
            "Issuing", signedBy: fixture.root,
            .with {
                $0.key = fixture.issuing.key
                $0.subjectKeyIdentifier = [1, 2, 3]
            })
        for required in [true, false] {
            let lists = [try fixture.list(revoking: [server]), try RevocationListDraft(issuer: fixture.root).der()]
            let verdict = try TrustEngine(
                anchors: fixture.scene.anchors([fixture.root]),
                revocationLists: lists.map { try RevocationList(der: $0) }, requiresRevocationLists: required
            ).evaluate(fixture.scene.chain([server, twin]), for: fixture.scene.subject(), at: fixture.now)
            expectOnly(.revoked, verdict)
        }
    }

    @Test("the list of another key counts if an issuer on the path certified this key for the same name")
    func certifiedKey() throws {
        let signer = try fixture.scene.factory.leaf(
            [], signedBy: fixture.root,
            .with {
                $0.commonName = "Issuing"
                $0.keyUsage = [.crlSign]
            })
        let good = try fixture.list(by: signer)
        #expect(try verdict(nil, [good], presented: [signer]).decision == .allow)
        expectOnly(.revoked, try verdict(nil, [fixture.list(by: signer, revoking: [server])], presented: [signer]))
        expectOnly(.revocationUnavailable, try verdict(nil, [good]))
        // An attacker certifies the same name below another root, or has a certificate that does not sign lists.
        let stranger = try fixture.scene.factory.authority("Stranger")
        for attack in [
            try fixture.scene.factory.leaf(
                [], signedBy: stranger,
                .with {
                    $0.commonName = "Issuing"
                    $0.keyUsage = [.crlSign]
                }),
            try fixture.scene.factory.leaf([], signedBy: fixture.root, .with { $0.commonName = "Issuing" }),
        ] {
            let forged = try fixture.list(by: attack)
            expectOnly(.revocationUnavailable, try verdict(nil, [forged], presented: [attack]))
        }
    }

    @Test("a revoked signer of lists does not count")
    func revokedSigner() throws {
        let signer = try fixture.scene.factory.leaf(
            [], signedBy: fixture.root,
            .with {
                $0.commonName = "Issuing"
                $0.keyUsage = [.crlSign]
            })
        let lists = [try fixture.list(by: signer), try fixture.list(by: fixture.root, revoking: [signer])]
        expectOnly(.revocationUnavailable, try verdict(nil, lists, presented: [signer]))
    }

    // MARK: - Dates

    @Test("a list past its next update refuses, unless a current list covers the certificate")
    func expired() throws {
        func old(_ revoked: [Identity]) throws -> [UInt8] {
            try fixture.list(revoking: revoked) { $0.nextUpdate = fixture.now.advanced(bySeconds: -1) }
        }
        expectOnly(.revocationUnknown, try verdict(nil, [old([])], required: false))
        expectOnly(.revoked, try verdict(nil, [old([server])], required: false))
        #expect(try verdict(nil, [old([]), fixture.list()]).decision == .allow)
        // A hold that was lifted: the current list decides.
        #expect(try verdict(nil, [old([server]), fixture.list()]).decision == .allow)
    }

    @Test(
        "a list without a number or a next update refuses what it revokes, unless the other lists are newer",
        arguments: [false, true])
    func incomplete(omitsNumber: Bool) throws {
        func list(_ revoked: [Identity], _ age: Int64, isWhole: Bool = false) throws -> [UInt8] {
            try fixture.list(revoking: revoked) {
                $0.thisUpdate = fixture.now.advanced(bySeconds: -age)
                if isWhole { return }
                if omitsNumber { $0.omitsNumber = true } else { $0.nextUpdate = nil }
            }
        }
        let whole = try list([], 60, isWhole: true)
        expectOnly(.revocationUnknown, try verdict(nil, [list([], 30)], required: false))
        expectOnly(.revoked, try verdict(nil, [list([server], 30)], required: false))
        expectOnly(.revoked, try verdict(nil, [whole, list([server], 30)]))
        expectOnly(.revoked, try verdict(nil, [list([server], 60), whole]))
        #expect(try verdict(nil, [whole, list([server], 90)]).decision == .allow)
        #expect(try verdict(nil, [whole, list([], 30)]).decision == .allow)
    }

    @Test("a delta list lifts a hold, and no other revocation", arguments: [6, 1, 4, nil] as [UInt8?])
    func removal(reason: UInt8?) throws {
        let base = try fixture.list {
            $0.number = 5
            $0.entries = [.init(server, reason: reason)]
        }
        let delta = try fixture.list {
            $0.number = 6
            $0.baseNumber = 5
            $0.entries = [.init(server, reason: 8)]
        }
        expectOnly(.revoked, try verdict(nil, [base]))
        let verdict = try verdict(nil, [base, delta])
        if reason == 6 { #expect(verdict.decision == .allow) } else { expectOnly(.revoked, verdict) }
    }

    // MARK: - Indirect lists

    @Test("an indirect list counts for the certificates that name its issuer, and only with their own issuer's name")
    func indirect() throws {
        let agency = try fixture.scene.factory.intermediate("Agency", signedBy: fixture.root)
        let server = try Self.server(fixture, .distributionPoints(Self.first, issuer: agency))
        func agencyList(_ entries: [RevocationListDraft.Entry], isIndirect: Bool = true) throws -> [UInt8] {
            try fixture.list(by: agency) {
                $0.scope = .init(Self.first)
                $0.scope?.isIndirect = isIndirect
                $0.entries = entries
            }
        }
        let other = try fixture.scene.factory.leaf(["other.example"], signedBy: fixture.issuing)
        func verdict(_ list: [UInt8]) throws -> TrustVerdict {
            try self.verdict(server, [list], presented: [agency])
        }
        #expect(try verdict(agencyList([])).decision == .allow)
        #expect(try verdict(agencyList([.init(other, issuer: fixture.issuing)])).decision == .allow)
        expectOnly(.revoked, try verdict(agencyList([.init(server, issuer: fixture.issuing)])))
        // The issuer of an entry also applies to the following entries.
        expectOnly(.revoked, try verdict(agencyList([.init(other, issuer: fixture.issuing), .init(server)])))
        // Without an issuer, an entry is about a certificate of the list's own issuer.
        #expect(try verdict(agencyList([.init(server)])).decision == .allow)
        #expect(try verdict(agencyList([.init(server, issuer: fixture.root)])).decision == .allow)
        // A list that does not say that it is indirect covers only its own issuer's certificates.
        expectOnly(.revocationUnavailable, try verdict(agencyList([], isIndirect: false)))
        // The certificate must name the issuer: otherwise any authority could vouch for certificates of another.
        expectOnly(.revocationUnavailable, try self.verdict(nil, [agencyList([])], presented: [agency]))
    }

    @Test("an indirect list has a limited number of changes of the issuer")
    func indirectLimit() throws {
        let entries = (0...RevocationEntryIndex.maximumGroups).map { index in
            var entry = RevocationListDraft.Entry(
                serial: [0x10, UInt8(index >> 8), UInt8(index & 0xFF)])
            entry.issuer = index.isMultiple(of: 2) ? fixture.root : fixture.issuing
            return entry
        }
        let bytes = try fixture.list {
            $0.scope = .init()
            $0.scope?.isIndirect = true
            $0.entries = entries
        }
        #expect(throws: CertificateError.self) { try RevocationList(der: bytes) }
        let fewer = try fixture.list {
            $0.scope = .init()
            $0.scope?.isIndirect = true
            $0.entries = entries.dropLast()
        }
        #expect(try RevocationList(der: fewer).count == RevocationEntryIndex.maximumGroups)
    }

    // MARK: - Delta lists

    private func delta(_ entries: [RevocationListDraft.Entry], base: UInt8 = 3, number: UInt8 = 5) throws -> [UInt8] {
        try fixture.list {
            $0.baseNumber = base
            $0.number = number
            $0.entries = entries
        }
    }

    @Test("an attacker passes off a delta list as the complete list: it never counts as not revoked")
    func deltaAsBase() throws {
        let empty = try delta([])
        for required in [true, false] {
            let verdict = try verdict(nil, [empty], required: required)
            expectOnly(.revocationListIncomplete, verdict)
            #expect(verdict.finding.reason.contains("complete list"))
        }
        expectOnly(.revoked, try verdict(nil, [delta([.init(server)])]))
        // Only the delta indicator protects: a complete list with the same entries accepts the server.
        #expect(try verdict(nil, [fixture.list { $0.number = 5 }]).decision == .allow)
    }

    @Test("a delta list changes the complete list that it extends")
    func deltaWithBase() throws {
        let complete = try fixture.list(revoking: [server]) { $0.number = 3 }
        let clean = try fixture.list { $0.number = 3 }
        #expect(try verdict(nil, [clean, delta([])]).decision == .allow)
        expectOnly(.revoked, try verdict(nil, [clean, delta([.init(server)])]))
        expectOnly(.revoked, try verdict(nil, [complete, delta([])]))
        let hold = try fixture.list {
            $0.number = 3
            $0.entries = [.init(server, reason: 6)]
        }
        #expect(try verdict(nil, [hold, delta([.init(server, reason: 8)])]).decision == .allow)
        // In a complete list, a removal has no meaning: the certificate counts as revoked.
        expectOnly(.revoked, try verdict(nil, [fixture.list { $0.entries = [.init(server, reason: 8)] }]))
        // If both a revocation and a removal are listed, the revocation counts.
        for entries in [[8, 1], [1, 8]] {
            let both = try delta(entries.map { .init(server, reason: UInt8($0)) })
            expectOnly(.revoked, try verdict(nil, [clean, both]))
        }
    }

    @Test("an unusable complete list does not hide the revocation in a delta list")
    func hiddenDelta() throws {
        let renewed = try fixture.scene.factory.intermediate("Issuing", signedBy: fixture.root)
        let revocation = try delta([.init(server)])
        let covers = [
            try fixture.list(by: renewed) { $0.number = 3 },  // of another key
            try fixture.list(by: renewed) { $0.number = 9 },  // the same, and newer
            try fixture.list {
                $0.number = 9
                $0.nextUpdate = fixture.now.advanced(bySeconds: -1)
            },
        ]
        for cover in covers {
            expectOnly(.revoked, try verdict(nil, [cover, revocation], required: false))
        }
        // A usable list of the same key is newer than the delta list, and contains its changes.
        #expect(try verdict(nil, [fixture.list { $0.number = 9 }, revocation]).decision == .allow)
    }

    @Test("a delta list that does not fit the complete list changes nothing")
    func deltaMismatch() throws {
        let removal = [RevocationListDraft.Entry(server, reason: 8)]
        let complete = try fixture.list {
            $0.number = 3
            $0.entries = [.init(server, reason: 6)]
        }
        let renewed = try fixture.scene.factory.intermediate("Issuing", signedBy: fixture.root)
        let misfits = [
            try delta(removal, base: 4),  // begins after the complete list
            try delta(removal, number: 3),  // an older removal, replayed against a newer complete list
            try fixture.list(by: renewed) {
                $0.baseNumber = 3
                $0.number = 5
                $0.entries = removal
            },
            try fixture.list {
                $0.baseNumber = 3
                $0.number = 5
                $0.entries = removal
                $0.nextUpdate = fixture.now.advanced(bySeconds: -1)
            },
            try fixture.list {
                $0.baseNumber = 3
                $0.number = 5
                $0.entries = removal
                $0.breaksSignature = true
            },
            try fixture.list {
                $0.baseNumber = 3
                $0.number = 5
                $0.entries = removal
                $0.scope = .init(Self.first)
            },
        ]
        for (index, misfit) in misfits.enumerated() {
            let verdict = try verdict(nil, [complete, misfit])
            #expect(verdict.finding.code == .revoked, "\(index): \(verdict)")
        }
    }

    // MARK: - Large and malformed lists

    @Test("a large list keeps each of its entries, and none beside them")
    func manyEntries() throws {
        let count = 20_000
        let entries = (0..<count).map { index in
            let serial: [UInt8] = [0x20, UInt8(index >> 8), UInt8(index & 0xFF), 1]
            return RevocationListDraft.Entry(serial: serial, reason: UInt8(index % 6))
        }
        let list = try RevocationList(
            der: fixture.list { $0.entries = entries + [.init(server)] + entries.prefix(100) })
        #expect(list.count == count + 1, "repeated entries count once")
        #expect(list.entry(of: server.view) != nil && list.entry(of: fixture.issuing.view) == nil)
        func find(_ serial: [UInt8]) -> RevocationEntry? {
            list.content.entries.entry(of: serial[...], list.issuerDigest, in: list.der, listIssuer: list.issuerDigest)
        }
        for index in stride(from: 0, to: count, by: 97) {
            #expect(find(entries[index].serial)?.reason == RevocationReason(number: index % 6))
            #expect(find(entries[index].serial.dropLast() + [2]) == nil)
        }
    }

    @Test("malformed extensions of lists are refused")
    func malformedExtensions() throws {
        let values: [(String, [UInt8])] = [
            ("2.5.29.28", [0x05, 0]), ("2.5.29.28", [0x30, 3, 0x81, 1, 7]), ("2.5.29.28", [0x30, 2, 0xA0, 0]),
            ("2.5.29.28", [0x30, 3, 0x83, 1, 9]), ("2.5.29.27", [2, 1, 0x80]), ("2.5.29.27", [2, 0]),
            ("2.5.29.27", [2, 21] + [UInt8](repeating: 1, count: 21)), ("2.5.29.35", [0x30, 5]),
        ]
        for (name, value) in values {
            let bytes = try fixture.list { $0.extensions = [.init(name, isCritical: true, value: value)] }
            #expect(throws: CertificateError.self, "\(name) \(value)") { try RevocationList(der: bytes) }
        }
        let many = (0..<33).map { ExtraExtension("1.2.3.\($0)") }
        let bytes = try fixture.list { $0.extensions = many }
        #expect(throws: CertificateError.self) { try RevocationList(der: bytes) }
        // A malformed distribution point in a certificate is the same as none.
        let odd = try Self.server(fixture, ExtraExtension("2.5.29.31", value: [0x30, 2, 0x30, 9]))
        #expect(RevocationPointers(odd.view).points.isEmpty)
        #expect(try verdict(odd, [fixture.list()]).decision == .allow)
    }

    @Test("more lists than the budget of signature checks allows are refused")
    func budget() throws {
        let lists = try (0..<101).map { number in try fixture.list { $0.number = UInt8(number) } }
        #expect(try verdict(nil, lists).finding.code == .budgetExceeded)
    }
}
