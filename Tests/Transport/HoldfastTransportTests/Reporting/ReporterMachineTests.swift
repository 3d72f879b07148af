import HoldfastTrust
import Testing

@testable import HoldfastTransport

/// Tests the decisions of the reporter without a disk or a network. `PinFailureReporterTests` tests the reporter.
@Suite struct ReporterMachineTests {
    private let noon = Timestamp(secondsSince1970: 1_800_000_000)
    private let subject = ReportSubject(key: SHA256Hash(hashing: [1]), host: 1)

    private func machine(_ change: (inout ReportLedger.Limits) -> Void = { _ in }) -> ReporterMachine {
        var limits = ReportLedger.Limits()
        change(&limits)
        return ReporterMachine(
            ledger: ReportLedger(limits: limits),
            queue: ReportQueue(
                limits: ReportSpoolLimits(), backoff: Backoff(base: 30, ceiling: 600, retryAfterCeiling: 1_000)))
    }

    private func entry(_ id: String) -> ReportQueue.Entry {
        ReportQueue.Entry(
            id: id, url: "https://a.example/", about: "host", created: noon, due: noon, size: 100)
    }

    private func report(_ machine: inout ReporterMachine, _ id: String, at time: Timestamp) throws {
        guard case .report(let admitted) = machine.failed(subject, at: time, entropy: 0) else {
            Issue.record("the failure must be reported")
            return
        }
        let displaced = try #require(machine.displaced(by: 100, about: "host"))
        machine.place(entry(id), displacing: displaced)
        machine.placed(admitted)
    }

    /// A failure counts as reported only after its report has a place.
    @Test func aReportWithoutAPlaceIsNotRemembered() throws {
        var machine = machine()
        guard case .report = machine.failed(subject, at: noon, entropy: 0) else {
            Issue.record("the first failure must be reported")
            return
        }
        #expect(!machine.isLedgerOwed && machine.ledger.decided.isEmpty)
        try report(&machine, "1", at: noon)
        #expect(machine.isLedgerOwed && machine.ledger.decided.count == 1)
        machine.wroteLedger()
        #expect(!machine.isLedgerOwed)
        #expect(machine.failed(subject, at: noon, entropy: 0) == .ignore(.duplicate))
        #expect(!machine.isLedgerOwed)
    }

    /// A failure that sampling drops is remembered, so that it is not sampled again.
    @Test func aSampledFailureIsRemembered() {
        var machine = machine { $0.sampledMillionths = 500_000 }
        #expect(machine.failed(subject, at: noon, entropy: 500_000) == .ignore(.sampledOut))
        #expect(machine.isLedgerOwed)
        #expect(machine.failed(subject, at: noon, entropy: 0) == .ignore(.duplicate))
    }

    /// A refusal with `Retry-After` delays the next attempt.
    @Test func aRefusedAttemptWaits() throws {
        var machine = machine()
        try report(&machine, "1", at: noon)
        guard case .send(let entry) = machine.next(at: noon) else {
            Issue.record("the report must be sent at once")
            return
        }
        let consequence = machine.ended(entry.id, .failed(retryAfter: 90), at: noon, entropy: 0)
        guard case .keep(let kept) = consequence else {
            Issue.record("the report must be kept")
            return
        }
        #expect(kept.attempts == 1)
        #expect(machine.next(at: noon) == .wait(90))
        #expect(machine.ended(entry.id, .sent, at: noon.advanced(bySeconds: 90), entropy: 0) == .remove)
        #expect(machine.next(at: noon) == .rest)
    }

    /// A machine that is made from the state of another continues in the same way.
    @Test func theStateIsComplete() throws {
        var machine = machine()
        try report(&machine, "1", at: noon)
        _ = machine.ended("1", .unreachable, at: noon, entropy: 17)
        var copy = ReporterMachine(
            ledger: ReportLedger(limits: machine.ledger.limits, decided: machine.ledger.decided),
            queue: ReportQueue(
                limits: machine.queue.limits, backoff: machine.queue.backoff, entries: machine.queue.entries,
                holds: machine.queue.holds))
        #expect(copy.queue == machine.queue)
        #expect(copy.failed(subject, at: noon, entropy: 0) == .ignore(.duplicate))
        let (step, expected) = (copy.next(at: noon), machine.next(at: noon))
        #expect(step == expected)
    }
}
