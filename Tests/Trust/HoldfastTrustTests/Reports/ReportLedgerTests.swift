import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// How often reports are sent, over restarts and clock changes.
@Suite("The ledger of reports")
struct ReportLedgerTests {
    let scene = TrustScene()
    let root: Identity
    let leaf: Identity

    init() throws {
        root = try scene.factory.authority("Root")
        leaf = try scene.factory.leaf([TrustScene.host], signedBy: root)
    }

    /// A report; another number makes another report.
    private func failure(_ number: UInt8 = 1) throws -> PinFailureReport {
        let policy = try scene.policy([Pin(SPKIDigest(hashing: [number]))])
        return try #require(PinFailureReport(try scene.pinned([leaf], anchors: [root], under: policy)))
    }

    /// A report about another host, which has a rule of its own.
    private func failure(of host: String, _ number: UInt8 = 1) throws -> PinFailureReport {
        let leaf = try scene.factory.leaf([host], signedBy: root)
        let rule = PinningRule(host: try CanonicalHost(host), pins: PinSet([Pin(SPKIDigest(hashing: [number]))]))
        let policy = try PinningPolicy(name: "p", rules: [rule], backupPins: .off)
        return try #require(PinFailureReport(try scene.pinned([leaf], anchors: [root], under: policy, host: host)))
    }

    /// The attack: new chains for one host, again and again, so that the report about another is rate-limited.
    @Test func aFloodAboutOneHostDoesNotSilenceAnother() throws {
        var ledger = ReportLedger()
        let flood = try (1...60).map { try failure(UInt8($0)) }
        #expect(flood.count { ledger.admit($0, at: scene.now, entropy: 0) == .send } == 10)
        // The quota survives a restart.
        ledger = ReportLedger(state: ledger.state)
        #expect(ledger.admit(try failure(61), at: scene.now, entropy: 0) == .rateLimited)
        #expect(ledger.admit(try failure(of: "pay.example.com"), at: scene.now, entropy: 0) == .send)
        #expect(ledger.admit(try failure(62), at: scene.now.advanced(bySeconds: 3_600), entropy: 0) == .send)
    }

    /// Floods about many hosts at once use up what is not reserved.
    @Test func theFirstReportOfAHostHasAReservedPlace() throws {
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

    /// A flood of failures that are not drawn must not wash away what was decided about other hosts.
    @Test func aFloodDoesNotWashTheMemoryAway() throws {
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

    @Test func theSameReportIsSentOnceADay() throws {
        let report = try failure()
        var ledger = ReportLedger()
        #expect(ledger.admit(report, at: scene.now, entropy: 0) == .send)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: 86_399), entropy: 0) == .duplicate)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: 86_400), entropy: 0) == .send)
    }

    @Test func theMemorySurvivesARestart() throws {
        let report = try failure()
        var ledger = ReportLedger()
        _ = ledger.admit(report, at: scene.now, entropy: 0)
        var restarted = ReportLedger(state: ledger.state)
        #expect(restarted == ledger)
        #expect(restarted.admit(report, at: scene.now.advanced(bySeconds: 10), entropy: 0) == .duplicate)
    }

    @Test func aClockThatGoesBackDoesNotOpenTheGate() throws {
        let report = try failure()
        var ledger = ReportLedger()
        _ = ledger.admit(report, at: scene.now, entropy: 0)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: -1_000_000), entropy: 0) == .duplicate)
    }

    @Test func anHourHasItsLimit() throws {
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

    @Test func whatWasNotDrawnIsNotDrawnAgainInTheSameWindow() throws {
        var limits = ReportLedger.Limits()
        limits.sampledMillionths = 1
        var ledger = ReportLedger(limits: limits)
        let report = try failure()
        #expect(ledger.admit(report, at: scene.now, entropy: 1) == .sampledOut)
        // The device fails every minute, and restarts in between: no further chance before the window is over.
        ledger = ReportLedger(limits: limits, state: ledger.state)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: 60), entropy: 0) == .duplicate)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: 86_400), entropy: 0) == .send)
    }

    @Test func whatWasNotDrawnDoesNotCountAgainstTheHour() throws {
        var limits = ReportLedger.Limits()
        limits.sampledMillionths = 500_000
        limits.reportsPerHour = 1
        var ledger = ReportLedger(limits: limits)
        #expect(ledger.admit(try failure(1), at: scene.now, entropy: 999_999) == .sampledOut)
        #expect(ledger.admit(try failure(2), at: scene.now, entropy: 0) == .send)
        #expect(ledger.admit(try failure(3), at: scene.now, entropy: 0) == .rateLimited)
        #expect(ledger.admit(try failure(3), at: scene.now.advanced(bySeconds: 3_600), entropy: 0) == .send)
    }

    @Test func aMemoryFromTheFarFutureClosesTheGateForAWindowOnly() throws {
        var ahead = ReportLedger()
        let report = try failure()
        _ = ahead.admit(report, at: Timestamp(secondsSince1970: .max), entropy: 0)
        var ledger = ReportLedger(state: ahead.state)
        #expect(ledger.admit(report, at: scene.now, entropy: 0) == .duplicate)
        #expect(ledger.admit(report, at: scene.now.advanced(bySeconds: 86_400), entropy: 0) == .send)
    }

    @Test func theMemoryIsBoundedAndTheOldestIsForgotten() throws {
        var limits = ReportLedger.Limits()
        limits.remembered = 2
        var ledger = ReportLedger(limits: limits)
        for number: UInt8 in 1...3 { #expect(ledger.admit(try failure(number), at: scene.now, entropy: 0) == .send) }
        #expect(ledger.admit(try failure(3), at: scene.now, entropy: 0) == .duplicate)
        #expect(ledger.admit(try failure(1), at: scene.now, entropy: 0) == .send)
        // A file with more entries than that: the last ones count.
        var generous = ReportLedger()
        for number: UInt8 in 1...3 { _ = generous.admit(try failure(number), at: scene.now, entropy: 0) }
        var restarted = ReportLedger(limits: limits, state: generous.state)
        #expect(restarted.state.count < generous.state.count)
        #expect(restarted.admit(try failure(3), at: scene.now, entropy: 0) == .duplicate)
    }

    @Test(arguments: [0, -1, Int.min])
    func limitsThatMakeNoSenseDoNotTrap(_ number: Int) throws {
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

    @Test func samplingDrawsItsShare() throws {
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

    @Test func bytesThatAreNoMemoryAreIgnoredAndNeverTrap() throws {
        var generator = SeededGenerator(seed: 9)
        let report = try failure()
        for length in 0..<200 {
            let bytes = Array("HFRL2\n".utf8) + (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            var ledger = ReportLedger(state: bytes)
            _ = ledger.admit(report, at: scene.now, entropy: generator.next())
        }
    }
}
