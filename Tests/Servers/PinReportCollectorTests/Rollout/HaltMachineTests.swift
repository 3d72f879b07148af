import HoldfastTrust
import PinReportDesk
import PinReports
import Testing

@testable import PinReportCollector

@Suite("Decisions about the halt file")
struct HaltMachineTests {
    private let scene = RolloutScene()
    private let plan: RolloutPlan
    private static let day = RolloutScene.day

    init() throws {
        plan = try scene.rollout().plan
    }

    private func at(_ seconds: Int64) -> Timestamp { RolloutScene.start.advanced(bySeconds: seconds) }

    /// A record of a roll-out that stopped at the start.
    private func record(_ halt: BundleHalt? = nil) -> RolloutRecord {
        var record = RolloutRecord()
        record.stop = RolloutStop(
            stage: RolloutScene.start, decidedAt: RolloutScene.start, cohortFailures: 14, cohortClients: 10_000,
            baselineFailures: 0, baselineClients: 990_000)
        (record.halt, record.haltSerial) = (halt?.bytes, halt?.serial ?? 0)
        return record
    }

    private func next(
        _ record: RolloutRecord, stored: BundleHalt? = nil, _ file: HaltMachine.File, at seconds: Int64
    ) -> HaltMachine.Action {
        HaltMachine(plan: plan, record: record, stored: stored, file: file, now: at(seconds)).next()
    }

    private func sign(_ seconds: Int64) -> HaltMachine.Action {
        .sign(serial: at(seconds).secondsSince1970, notAfter: at(seconds + 7 * Self.day))
    }

    @Test func withoutADecisionNothingIsSigned() throws {
        #expect(next(RolloutRecord(), .missing, at: 0) == .done(.running))
        #expect(next(RolloutRecord(), .halt(try scene.halt()), at: 0) == .done(.running))
        #expect(next(RolloutRecord(), .missing, at: 17 * Self.day) == .done(.over))
    }

    @Test func aHaltIsSignedStoredAndWritten() throws {
        #expect(next(record(), .missing, at: 5) == sign(5))
        #expect(next(record(), .unusable, at: 5) == sign(5))
        let halt = try scene.halt(issued: 5)
        #expect(next(record(halt), stored: halt, .missing, at: 5) == .write(halt))
        #expect(next(record(halt), stored: halt, .unusable, at: 5) == .write(halt))
        #expect(
            next(record(halt), stored: halt, .halt(halt), at: 6) == .done(.published(until: at(5 + 7 * Self.day))))
        // A halt of an earlier version is replaced.
        let older = try scene.halt(3, issued: -100)
        #expect(next(record(), .halt(older), at: 5) == sign(5))
        #expect(next(record(halt), stored: halt, .halt(older), at: 5) == .write(halt))
    }

    @Test func aHaltIsRenewedAtHalfOfItsTime() throws {
        let halt = try scene.halt()
        let half = 7 * Self.day / 2
        #expect(next(record(halt), stored: halt, .halt(halt), at: half) == .done(.published(until: at(7 * Self.day))))
        #expect(next(record(halt), stored: halt, .halt(halt), at: half + 1) == sign(half + 1))
        // After its end, too: the collector may have been down.
        #expect(next(record(halt), stored: halt, .halt(halt), at: 9 * Self.day) == sign(9 * Self.day))
        // The last stage begins after three days. Fourteen days later, no installation waits any more.
        #expect(next(record(halt), stored: halt, .halt(halt), at: 17 * Self.day - 1) == sign(17 * Self.day - 1))
        #expect(next(record(halt), stored: halt, .halt(halt), at: 17 * Self.day) == .done(.over))
    }

    @Test func aHaltThatAPersonSignedIsEnough() throws {
        let halt = try scene.halt(9, issued: 50)
        #expect(next(record(), .halt(halt), at: 60) == .done(.published(until: at(50 + 7 * Self.day))))
        let short = try scene.halt(issued: 50, lasts: 600)
        #expect(next(record(), .halt(short), at: 60) == sign(60))
    }

    @Test func serialNumbersOnlyIncrease() throws {
        let halt = try scene.halt(issued: 100, lasts: 600)
        for file in [HaltMachine.File.halt(halt), .missing] {
            guard case .blocked = next(record(halt), stored: halt, file, at: 100) else {
                Issue.record("not blocked")
                continue
            }
            #expect(next(record(halt), stored: halt, file, at: 101) == sign(101))
        }
        // Apps refuse a halt from the future, so that it does not count as published.
        let future = try scene.halt(issued: 2 * Self.day)
        guard case .blocked = next(record(), .halt(future), at: 0) else {
            Issue.record("not blocked")
            return
        }
    }

    @Test func anOperatorEndsTheHalt() throws {
        let halt = try scene.halt()
        let end = try scene.halt(0, issued: 50)
        #expect(next(record(halt), stored: halt, .halt(end), at: 60) == .release)
        var released = record(halt)
        released.releasedAt = at(60)
        #expect(next(released, stored: halt, .halt(end), at: 70) == .done(.released(at(60))))
        #expect(next(released, stored: halt, .missing, at: 9 * Self.day) == .done(.released(at(60))))
        // An end from before the decision is of an earlier halt.
        let earlier = try scene.halt(0, issued: -50)
        #expect(next(record(), .halt(earlier), at: 60) == sign(60))
    }

    @Test func collectorsWithDifferentKeysDoNotReplaceEachOther() throws {
        let other = try scene.halt(by: BundleSigningKey(generating: .ed25519, id: "halt-b"))
        guard case .blocked(let reason) = next(record(other), .missing, at: 5) else {
            Issue.record("not blocked")
            return
        }
        #expect(reason.contains("another key"))
    }
}
