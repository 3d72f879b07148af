import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// An attacker has a certificate for the host that an authority issued by mistake, and needs timestamps for it.
@Suite("Attacks on certificate timestamps") struct TimestampAttackTests {
    let world: TransparencyScene

    init() throws {
        world = try TransparencyScene()
    }

    @Test("a logged certificate passes, and an unlogged one is refused")
    func logged() throws {
        let server = try world.server([world.oak, world.elm])
        let verdict = try world.verdict(on: server)
        #expect(verdict.permitsConnection, "\(verdict)")
        #expect(verdict.notices.isEmpty)
        let secret = try world.scene.factory.leaf([TrustScene.host], signedBy: world.issuing)
        let refused = try world.verdict(on: secret)
        expectOnly(.sctsMissing, refused)
        #expect(refused.finding.facts.requiredTimestamps == 2)
        #expect(refused.finding.facts.validTimestamps == 0)
        // Without the requirement, system verification accepts the certificate.
        #expect(
            try world.scene.system([secret, world.issuing], anchors: [world.root]).permitsConnection)
    }

    @Test("timestamps of another certificate do not help")
    func copied() throws {
        let logged = try world.server([world.oak, world.elm])
        let timestamps = try #require(try EmbeddedTimestamps(logged.view))
        #expect(timestamps.timestamps.count == 2)
        var copied: [[UInt8]] = []
        _ = try world.server([world.oak, world.elm]) { copied = $0 }
        let forged = try world.server([world.oak, world.elm]) { $0 = copied }
        let verdict = try world.verdict(on: forged)
        #expect(verdict.finding.code == .sctsMissing)
        #expect(verdict.notices.map(\.code) == [.sctBadSignature, .sctBadSignature], "\(verdict)")
        #expect(verdict.notices.first?.facts.logID == world.oak.id)
    }

    @Test("the same timestamp twice counts once")
    func repeated() throws {
        let server = try world.server([world.oak]) { $0 += $0 }
        expectMissing(.sctRepeatedLog, valid: 1, try world.verdict(on: server))
        let two = TransparencyRequirement(
            .custom(TransparencyCounts(timestamps: 1, timestampsOver180Days: 1, operators: 1)))
        #expect(try world.verdict(on: server, two).permitsConnection)
    }

    @Test("an invalid timestamp does not hide a valid one of the same log")
    func invalidFirst() throws {
        let server = try world.server([world.oak, world.elm]) { timestamps in
            var broken = timestamps[0]
            broken[broken.count - 1] ^= 1
            timestamps.insert(broken, at: 0)
        }
        let verdict = try world.verdict(on: server)
        #expect(verdict.permitsConnection, "\(verdict)")
        #expect(verdict.notices.map(\.code) == [.sctBadSignature])
    }

    @Test("two logs of one operator are not enough")
    func oneOperator() throws {
        let server = try world.server([world.oak, world.fir])
        let verdict = try world.verdict(on: server)
        expectOnly(.sctOperators, verdict)
        #expect(verdict.finding.facts.validOperators == 1)
        #expect(verdict.finding.facts.requiredOperators == 2)
        let counts = TransparencyCounts(timestamps: 2, timestampsOver180Days: 3, operators: 1)
        #expect(try world.verdict(on: server, TransparencyRequirement(.custom(counts))).permitsConnection)
    }

    @Test("the operator at the time of the timestamp counts")
    func formerOperator() throws {
        let server = try world.server([world.oak, world.fir])
        let sold = world.fir.with {
            $0.formerOperators = [
                ("Beta", world.now.advanced(bySeconds: -1)), ("Old", world.now.advanced(bySeconds: -86_400)),
            ]
        }
        #expect(try world.verdict(on: server, logs: [world.oak, sold]).permitsConnection)
        let soldEarlier = world.fir.with {
            $0.formerOperators = [("Beta", world.now.advanced(bySeconds: -86_400))]
        }
        expectOnly(.sctOperators, try world.verdict(on: server, logs: [world.oak, soldEarlier]))
    }

    @Test("a timestamp from the future does not count")
    func future() throws {
        let issued = world.now.advanced(bySeconds: 1)
        let server = try world.server([world.oak], at: issued)
        let both = try world.server([world.oak, world.elm], at: issued)
        let verdict = try world.verdict(on: both)
        #expect(verdict.finding.code == .sctsMissing)
        #expect(verdict.notices.map(\.code) == [.sctFromFuture, .sctFromFuture])
        expectMissing(.sctFromFuture, valid: 0, try world.verdict(on: server))
        #expect(try world.verdict(on: both, at: issued).permitsConnection)
    }

    @Test("a log that the list does not contain does not count")
    func unknownLog() throws {
        let own = try TestLog("attacker", operator: "Attacker")
        let server = try world.server([world.oak, own])
        let verdict = try world.verdict(on: server)
        expectMissing(.sctUnknownLog, valid: 1, verdict)
        #expect(verdict.notices.first?.facts.logID == own.id)
        #expect(try world.verdict(on: server, logs: world.all + [own]).permitsConnection)
    }

    @Test("a retired log counts only for timestamps from before its retirement")
    func retired() throws {
        let server = try world.server([world.oak, world.elm])
        let issued = world.now.advanced(bySeconds: -3_600)
        func retired(_ time: Timestamp) -> TestLog {
            world.elm.with {
                $0.state = .retired
                $0.since = time
            }
        }
        let later = try world.verdict(on: server, logs: [world.oak, retired(issued.advanced(bySeconds: 1))])
        #expect(later.permitsConnection, "\(later)")
        expectMissing(.sctLogNotTrusted, valid: 1, try world.verdict(on: server, logs: [world.oak, retired(issued)]))
        // One log must be trusted now.
        let oak = world.oak.with {
            $0.state = .retired
            $0.since = issued.advanced(bySeconds: 1)
        }
        expectOnly(
            .sctNoCurrentLog,
            try world.verdict(on: server, logs: [oak, retired(issued.advanced(bySeconds: 1))]))
        // A retirement that lies ahead has no effect yet.
        #expect(
            try world.verdict(on: server, logs: [oak, retired(world.now.advanced(bySeconds: 1))]).permitsConnection)
    }

    @Test("the states of a log", arguments: TransparencyLog.State.allCases)
    func states(_ state: TransparencyLog.State) throws {
        let server = try world.server([world.oak, world.elm])
        let verdict = try world.verdict(on: server, logs: [world.oak, world.elm.with { $0.state = state }])
        switch state {
        case .qualified, .usable, .readOnly: #expect(verdict.permitsConnection, "\(verdict)")
        case .pending, .rejected, .retired: expectMissing(.sctLogNotTrusted, valid: 1, verdict)
        }
    }

    @Test("timestamps for the same certificate of another issuer do not count")
    func wrongIssuer() throws {
        let other = try world.scene.factory.authority("Issuing")
        let server = try world.server([world.oak, world.elm], issuerKeyHash: other.spkiDigest.bytes)
        let verdict = try world.verdict(on: server)
        #expect(verdict.finding.code == .sctsMissing)
        #expect(verdict.notices.map(\.code) == [.sctBadSignature, .sctBadSignature])
    }

    @Test("a log with an RSA key counts, and a signature of another algorithm does not")
    func algorithms() throws {
        let rsa = try TestLog("rsa", operator: "Delta", .rsa2048)
        let server = try world.server([world.oak, rsa])
        #expect(try world.verdict(on: server, logs: [world.oak, rsa]).permitsConnection)
        // The algorithm follows from the key: a changed name never makes a signature valid.
        for (hash, signature) in [(4, 3), (2, 1), (5, 1), (4, 7)] as [(UInt8, UInt8)] {
            let forged = try world.server([world.oak, rsa]) { timestamps in
                timestamps[1][43] = hash
                timestamps[1][44] = signature
            }
            expectMissing(.sctBadSignature, valid: 1, try world.verdict(on: forged, logs: [world.oak, rsa]))
        }
    }

    @Test("an unreadable list of timestamps is refused, whatever it contains")
    func malformed() throws {
        let server = try world.server([world.oak, world.elm]) { $0.append([0, 1, 2]) }
        expectOnly(.sctListMalformed, try world.verdict(on: server))
        let many = try world.server([world.oak, world.elm]) { timestamps in
            timestamps += Array(repeating: [1], count: EmbeddedTimestamps.maximumCount)
        }
        expectOnly(.sctListMalformed, try world.verdict(on: many))
    }

    @Test("timestamps of a later version are skipped")
    func laterVersion() throws {
        let server = try world.server([world.oak, world.elm]) { $0.insert([1, 2, 3], at: 0) }
        let verdict = try world.verdict(on: server)
        #expect(verdict.permitsConnection, "\(verdict)")
        #expect(verdict.notices.map(\.code) == [.sctUnknownVersion])
    }

    @Test("a precertificate is not accepted in place of the certificate")
    func precertificate() throws {
        let factory = world.scene.factory
        let precertificate = try factory.leaf(
            [TrustScene.host], signedBy: world.issuing, .with { $0.extraExtensions = [TestLog.poison] })
        let verdict = try world.verdict(on: precertificate)
        #expect(!verdict.permitsConnection)
        #expect(verdict.systemFinding?.code == .unhandledCriticalExtension)
    }
}
