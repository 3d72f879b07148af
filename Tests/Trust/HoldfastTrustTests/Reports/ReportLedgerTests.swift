import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests how often reports are sent, across restarts and clock changes.
@Suite("Report ledger")
struct ReportLedgerTests {
    let scene = TrustScene()
    let root: Identity
    let leaf: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
    }

    /// Returns a report. Each number gives a different report.
    private func failure(_ number: UInt8 = 1) throws -> PinFailureReport {
        let policy = try scene.policy([Pin(SPKIDigest(hashing: [number]))])
        return try #require(PinFailureReport(try scene.pinned([leaf], anchors: [root], under: policy)))
    }

    /// Returns a report about another host with its own rule.
    private func failure(of host: String, _ number: UInt8 = 1) throws -> PinFailureReport {
        let leaf = try scene.factory.leaf([host], signedBy: root)
        let rule = PinningRule(host: try CanonicalHost(host), pins: PinSet([Pin(SPKIDigest(hashing: [number]))]))
        let policy = try PinningPolicy(name: "p", rules: [rule], backupPins: .off)
        return try #require(PinFailureReport(try scene.pinned([leaf], anchors: [root], under: policy, host: host)))
    }

    /// An attacker sends ever new chains for one host to suppress reports about another host.
    @Test func floodForOneHostDoesNotSuppressOthers() throws {
        var ledger = ReportLedger()
        let flood = try (1...60).map { try failure(UInt8($0)) }
        #expect(flood.count { ledger.admit($0, at: scene.now, entropy: 0) == .send } == 10)
        // The quota survives a restart.
        ledger = ReportLedger(state: ledger.state)
        #expect(ledger.admit(try failure(61), at: scene.now, entropy: 0) == .rateLimited)
        #expect(ledger.admit(try failure(of: "pay.example.com"), at: scene.now, entropy: 0) == .send)
        #expect(ledger.admit(try failure(62), at: scene.now.advanced(bySeconds: 3_600), entropy: 0) == .send)
    }

    /// Many reports about other hosts use the quota except the reserved part.
    @Test func firstReportOfHostIsReserved() throws {
        var ledger = ReportLedger()
        var sent = 0
        for host in ["a.example.com", "b.example.com", "c.example.com", "d.example.com", "e.example.com"] {
            for number: UInt8 in 1...20 {
                if ledger.admit(try failure(of: host, number), at: scene.now, entropy: 0) == .send { sent += 1 }
            }
        }
        #expect(sent == 30 + 5)
        for number in 1...25 {
            let first = try failure(of: "first\(number).example.com")
            #expect(ledger.admit(first, at: scene.now, entropy: 0) == .send)
        }
        #expect(ledger.admit(try failure(of: "late.example.com"), at: scene.now, entropy: 0) == .rateLimited)
    }

    /// Many reports that are not selected by sampling must not remove the decisions about other hosts.
    @Test func floodDoesNotEvictOtherHosts() throws {
        var limits = ReportLedger.Limits()
        limits.sampledMillionths = 1
        limits.remembered = 10
        var ledger = ReportLedger(limits: limits)
        let other = try failure(of: "pay.example.com")
        #expect(ledger.admit(other, at: scene.now, entropy: 0) == .send)
        for number: UInt8 in 1...50 {
            #expect(ledger.admit(try failure(number), at: scene.now, entropy: 1) == .sampledOut)
        }
        #expect(ledger.admit(other, at: scene.now, entropy: 0) == .duplicate)
    }

    @Test func sameReportIsSentOncePerDay() throws {
        let report = try failure()
        var ledger = ReportLedger()
        #expect(ledger.admit(report, at: scene.now, entropy: 0) == .send)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: 86_399), entropy: 0) == .duplicate)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: 86_400), entropy: 0) == .send)
    }

    @Test func stateSurvivesRestart() throws {
        let report = try failure()
        var ledger = ReportLedger()
        _ = ledger.admit(report, at: scene.now, entropy: 0)
        var restarted = ReportLedger(state: ledger.state)
        #expect(restarted == ledger)
        #expect(restarted.admit(report, at: scene.now.advanced(bySeconds: 10), entropy: 0) == .duplicate)
    }

    @Test func clockGoingBackKeepsLimits() throws {
        let report = try failure()
        var ledger = ReportLedger()
        _ = ledger.admit(report, at: scene.now, entropy: 0)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: -1_000_000), entropy: 0) == .duplicate)
    }

    @Test func limitsReportsPerHour() throws {
        var limits = ReportLedger.Limits()
        limits.reportsPerHour = 2
        var ledger = ReportLedger(limits: limits)
        for host in ["a.example.com", "b.example.com", "c.example.com"] {
            let leaf = try scene.factory.leaf([host], signedBy: root)
            let rule = PinningRule(host: try CanonicalHost(host), pins: PinSet([Pin(SPKIDigest(hashing: [1]))]))
            let policy = try PinningPolicy(name: "p", rules: [rule], backupPins: .off)
            let report = try #require(
                PinFailureReport(try scene.pinned([leaf], anchors: [root], under: policy, host: host)))
            let expected: ReportLedger.Admission = host.hasPrefix("c") ? .rateLimited : .send
            #expect(ledger.admit(report, at: scene.now, entropy: 0) == expected)
        }
    }

    @Test func sampledOutReportIsNotSampledAgain() throws {
        var limits = ReportLedger.Limits()
        limits.sampledMillionths = 1
        var ledger = ReportLedger(limits: limits)
        let report = try failure()
        #expect(ledger.admit(report, at: scene.now, entropy: 1) == .sampledOut)
        // The device fails every minute and restarts in between. The report is not sampled again within the window.
        ledger = ReportLedger(limits: limits, state: ledger.state)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: 60), entropy: 0) == .duplicate)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: 86_400), entropy: 0) == .send)
    }

    @Test func sampledOutReportsDoNotUseQuota() throws {
        var limits = ReportLedger.Limits()
        limits.sampledMillionths = 500_000
        limits.reportsPerHour = 1
        var ledger = ReportLedger(limits: limits)
        #expect(ledger.admit(try failure(1), at: scene.now, entropy: 999_999) == .sampledOut)
        #expect(ledger.admit(try failure(2), at: scene.now, entropy: 0) == .send)
        #expect(ledger.admit(try failure(3), at: scene.now, entropy: 0) == .rateLimited)
        #expect(ledger.admit(try failure(3), at: scene.now.advanced(bySeconds: 3_600), entropy: 0) == .send)
    }

    @Test func futureStateLimitsOneWindow() throws {
        var ahead = ReportLedger()
        let report = try failure()
        _ = ahead.admit(report, at: Timestamp(secondsSince1970: .max), entropy: 0)
        var ledger = ReportLedger(state: ahead.state)
        #expect(ledger.admit(report, at: scene.now, entropy: 0) == .duplicate)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: 86_400), entropy: 0) == .send)
    }

    @Test func forgetsOldestBeyondLimit() throws {
        var limits = ReportLedger.Limits()
        limits.remembered = 2
        var ledger = ReportLedger(limits: limits)
        for number: UInt8 in 1...3 { #expect(ledger.admit(try failure(number), at: scene.now, entropy: 0) == .send) }
        #expect(ledger.admit(try failure(3), at: scene.now, entropy: 0) == .duplicate)
        #expect(ledger.admit(try failure(1), at: scene.now, entropy: 0) == .send)
        // If a file has more entries, the last ones are kept.
        var generous = ReportLedger()
        for number: UInt8 in 1...3 { _ = generous.admit(try failure(number), at: scene.now, entropy: 0) }
        var restarted = ReportLedger(limits: limits, state: generous.state)
        #expect(restarted.state.count < generous.state.count)
        #expect(restarted.admit(try failure(3), at: scene.now, entropy: 0) == .duplicate)
    }

    @Test(arguments: [0, -1, Int.min])
    func invalidLimitsDoNotTrap(_ number: Int) throws {
        var limits = ReportLedger.Limits()
        limits.remembered = number
        limits.reportsPerHour = number
        limits.sampledMillionths = number
        limits.window = Int64(number)
        var ledger = ReportLedger(limits: limits)
        #expect(ledger.admit(try failure(), at: scene.now, entropy: .max) == .rateLimited)
        limits.reportsPerHour = 5
        ledger = ReportLedger(limits: limits)
        #expect(ledger.admit(try failure(), at: scene.now, entropy: 0) == .sampledOut)
    }

    @Test func samplingSelectsConfiguredShare() throws {
        var limits = ReportLedger.Limits()
        limits.sampledMillionths = 250_000
        let report = try failure()
        var generator = SeededGenerator(seed: 5)
        let sent = (0..<4_000).count { _ in
            var ledger = ReportLedger(limits: limits)
            return ledger.admit(report, at: scene.now, entropy: generator.next()) == .send
        }
        #expect((800...1_200).contains(sent))
    }

    @Test func ignoresInvalidState() throws {
        var generator = SeededGenerator(seed: 9)
        let report = try failure()
        for length in 0..<200 {
            let bytes = Array("HFRL2\n".utf8) + (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var ledger = ReportLedger(state: bytes)
            _ = ledger.admit(report, at: scene.now, entropy: generator.next())
        }
    }
}
