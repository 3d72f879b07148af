import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast probe: the state of a watch") struct ProbeWatchTests {
    private let factory = CertificateFactory()
    private let root: Identity
    private let clock = ManualTrustClock()

    init() throws {
        root = try factory.authority("Root")
    }

    private func report(
        _ chain: [Identity], outcome: ProbeOutcome = .allowed, pins: [Pin] = [], host: String = "shop.example"
    ) throws -> ProbeReport {
        var report = ProbeReport(target: try ProbeTarget(host), time: clock.now, outcome: outcome)
        let presented = PresentedChain(chain.map(\.view))
        report.certificates = ProbeCertificate.list(presented, path: nil, pins: PinSet(pins))
        report.pins = pins
        report.unseenPins = pins.filter { pin in !chain.contains { $0.spkiDigest == pin.spkiDigest } }
        report.warnings = ProbeThresholds().warnings(on: report)
        return report
    }

    private var lost: ProbeOutcome { .failed(ProbeFailure(code: "timedOut", reason: "No answer.")) }

    private func refused() -> ProbeOutcome {
        .refused(ProbeVerdict.Finding(TrustFinding(.pinMismatch, "No pin matches.")))
    }

    private func leaf(_ options: CertificateOptions = .init(), by issuer: Identity? = nil) throws -> Identity {
        try factory.leaf(["shop.example"], signedBy: issuer ?? root, options)
    }

    @Test func unchangedStateIsNotReported() throws {
        var watch = ProbeWatch()
        let leaf = try leaf()
        for _ in 0..<3 {
            #expect(watch.observe(try report([leaf, root])).isEmpty)
            clock.advance(bySeconds: 300)
        }
        #expect(watch.tallies.isEmpty)
    }

    @Test func distinguishesNewKeyRenewalAndNewIssuer() throws {
        var watch = ProbeWatch()
        let first = try leaf()
        _ = watch.observe(try report([first, root]))
        let renewed = try leaf(.init(key: first.key))
        #expect(watch.observe(try report([renewed, root])).map(\.kind) == [.certificateRenewed])
        let second = try leaf()
        let events = watch.observe(try report([second, root]))
        #expect(events.map(\.kind) == [.keyChanged])
        #expect(events.first?.message.contains(first.spkiDigest.description) == true)
        #expect(events.first?.message.contains(second.spkiDigest.description) == true)
        let other = try factory.authority("Other")
        let third = try leaf(.init(key: second.key), by: other)
        #expect(
            watch.observe(try report([third, other])).map(\.kind)
                == [.certificateRenewed, .issuerChanged, .chainChanged])
        #expect(watch.observe(try report([third])).map(\.kind) == [.chainChanged])
    }

    @Test func lostServerIsReportedOnceAndComparedOnReturn() throws {
        var watch = ProbeWatch()
        let leaf = try leaf()
        _ = watch.observe(try report([leaf]))
        #expect(watch.observe(try report([], outcome: lost)).map(\.kind) == [.lost])
        #expect(watch.observe(try report([], outcome: lost)).isEmpty)
        #expect(watch.observe(try report([leaf])).map(\.kind) == [.recovered])
        _ = watch.observe(try report([], outcome: lost))
        let other = try self.leaf()
        #expect(watch.observe(try report([other])).map(\.kind) == [.recovered, .keyChanged])
        #expect(
            watch.tallies[ProbeEvent.Tally(target: try ProbeTarget("shop.example"), kind: .lost)] == 2)
    }

    @Test func serverLostFromTheBeginningIsReported() throws {
        var watch = ProbeWatch()
        #expect(watch.observe(try report([], outcome: lost)).map(\.kind) == [.lost])
        #expect(watch.observe(try report([try leaf()])).map(\.kind) == [.recovered])
    }

    @Test func changedVerdictIsReported() throws {
        var watch = ProbeWatch()
        let leaf = try leaf()
        _ = watch.observe(try report([leaf]))
        let events = watch.observe(try report([leaf], outcome: refused()))
        #expect(events.map(\.kind) == [.verdictChanged])
        #expect(events.first?.message == "refused (pinMismatch), expected: allow")
        #expect(watch.observe(try report([leaf], outcome: refused())).isEmpty)
        #expect(watch.observe(try report([leaf])).map(\.kind) == [.verdictChanged])
    }

    @Test func backupPinIsReportedUntilSeen() throws {
        var watch = ProbeWatch()
        let current = try leaf()
        let backup = try leaf()
        let pins = [Pin(current.spkiDigest), Pin(backup.spkiDigest)]
        let first = watch.observe(try report([current], pins: pins))
        #expect(first.map(\.kind) == [.pinUnseen])
        #expect(first.first?.message.contains(backup.spkiDigest.description) == true)
        #expect(watch.observe(try report([current], pins: pins)).isEmpty)
        #expect(watch.observe(try report([backup], pins: pins)).map(\.kind) == [.keyChanged, .pinSeen])
        // A pin that was seen once is not reported again.
        #expect(watch.observe(try report([current], pins: pins)).map(\.kind) == [.keyChanged])
    }

    @Test func warnsOfExpiryOnceADay() throws {
        var watch = ProbeWatch()
        let day: Int64 = 86_400
        let leaf = try leaf(.init(notAfter: clock.now.advanced(bySeconds: 15 * day)))
        #expect(watch.observe(try report([leaf])).isEmpty)
        clock.advance(bySeconds: day)
        // Fourteen whole days are not fewer than fourteen.
        #expect(watch.observe(try report([leaf])).isEmpty)
        clock.advance(bySeconds: 1)
        #expect(watch.observe(try report([leaf])).map(\.kind) == [.warning])
        clock.advance(bySeconds: 3_600)
        #expect(watch.observe(try report([leaf])).isEmpty)
        // A temporary loss of the server does not repeat the warning.
        _ = watch.observe(try report([], outcome: lost))
        #expect(watch.observe(try report([leaf])).map(\.kind) == [.recovered])
        clock.advance(bySeconds: day)
        let events = watch.observe(try report([leaf]))
        #expect(events.map(\.kind) == [.warning])
        #expect(events.first?.message.contains("12 days left") == true)
        clock.advance(bySeconds: 13 * day)
        #expect(watch.observe(try report([leaf])).first?.message.contains("ended at") == true)
    }

    @Test func repeatedCertificateIsWarnedOfOnce() throws {
        var watch = ProbeWatch()
        let old = try factory.authority("Old", .init(notAfter: clock.now.advanced(bySeconds: -1)))
        let chain = [try leaf()] + Array(repeating: old, count: 50)
        #expect(watch.observe(try report(chain)).map(\.kind) == [.warning])
    }

    @Test func aWarningIsNotRepeatedWhileThereIsNoVerdict() throws {
        var watch = ProbeWatch()
        func down() throws -> ProbeReport {
            var report = try report([], outcome: lost)
            report.warnings = [ProbeWarning(code: .notInPolicy, sentence: "the policy has no rule for shop.example")]
            return report
        }
        #expect(watch.observe(try down()).map(\.kind) == [.lost, .warning])
        #expect(watch.observe(try down()).isEmpty)
        #expect(watch.observe(try down()).isEmpty)
    }

    @Test func unreadableCertificateKeepsTheKnownKey() throws {
        var watch = ProbeWatch()
        let first = try leaf()
        let pins = [Pin(first.spkiDigest)]
        _ = watch.observe(try report([first, root], pins: pins))
        func unreadable(_ outcome: ProbeOutcome) throws -> ProbeReport {
            var report = try report([], outcome: outcome, pins: pins)
            let presented = PresentedChain(der: [[0x30, 0x00], root.certificateDER])
            report.certificates = ProbeCertificate.list(presented, path: nil, pins: PinSet(pins))
            #expect(report.leaf == nil)
            return report
        }
        #expect(watch.observe(try unreadable(refused())).map(\.kind) == [.verdictChanged])
        #expect(watch.observe(try unreadable(refused())).isEmpty)
        #expect(
            watch.observe(try report([try leaf(), root], pins: pins)).map(\.kind) == [.keyChanged, .verdictChanged])
        // From the beginning: no pin counts as unseen, and there is no chain to compare.
        var other = ProbeWatch()
        #expect(other.observe(try unreadable(refused())).isEmpty)
        #expect(other.observe(try report([first, root], outcome: refused(), pins: pins)).isEmpty)
    }

    @Test func lineShowsDaysOfDecidingCertificates() throws {
        let old = try factory.authority("Old", .init(notAfter: clock.now.advanced(bySeconds: -1)))
        #expect(try report([try leaf(), old]).line().hasSuffix("allowed, 90 days left"))
    }

    @Test func serversAreIndependent() throws {
        var watch = ProbeWatch()
        _ = watch.observe(try report([try leaf()], host: "a.example"))
        #expect(watch.observe(try report([try leaf()], host: "b.example")).isEmpty)
        #expect(watch.observe(try report([try leaf()], host: "a.example:444")).isEmpty)
        #expect(watch.observe(try report([try leaf()], host: "a.example")).map(\.kind) == [.keyChanged])
    }

    @Test func policyEndsAtItsInstantAndCertificateAfterIt() throws {
        var report = try report([try leaf(.init(notAfter: clock.now))])
        report.policyExpires = clock.now
        let warnings = ProbeThresholds().warnings(on: report)
        #expect(warnings.map(\.code) == [.leafExpires, .policyExpires])
        #expect(warnings.map(\.daysLeft) == [0, -1])
    }

    @Test(arguments: [(0.0, 270.0), (0.5, 300.0), (1.0, 330.0), (-5.0, 270.0), (7.0, 330.0), (Double.nan, 300.0)])
    func pausesVaryByATenth(_ chance: Double, _ seconds: Double) {
        let pause = ProbePace(interval: .seconds(300), chance: { chance }).next() / .seconds(1)
        #expect(abs(pause - seconds) < 0.001)
    }
}
