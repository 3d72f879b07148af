import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTransport

/// Which report is sent when, without a clock and a disk.
@Suite struct ReportQueueTests {
    private let start = Timestamp(secondsSince1970: 1_900_000_000)
    private let backoff = Backoff(base: 30, ceiling: 21_600, retryAfterCeiling: 86_400)

    private func queue(_ change: (inout ReportSpoolLimits) -> Void = { _ in }) -> ReportQueue {
        var limits = ReportSpoolLimits()
        change(&limits)
        return ReportQueue(limits: limits, backoff: backoff)
    }

    private func entry(_ number: UInt64, _ url: String = "https://a.example/", age: Int64 = 0, attempts: Int = 0)
        -> ReportQueue.Entry
    {
        var delivery = ReportDelivery(
            id: ReportDelivery.id(0, number), url: url, created: start.advanced(bySeconds: -age), body: "{}")
        delivery.attempts = attempts
        return ReportQueue.Entry(delivery, size: 100)
    }

    private func add(_ entries: [ReportQueue.Entry], to queue: inout ReportQueue, hasRoom: Bool = true) {
        for entry in entries {
            let isTaken = queue.add(entry)
            #expect(isTaken == hasRoom)
        }
    }

    /// `#expect` does not take what changes a value.
    private func expect<Value: Equatable>(
        _ value: Value, _ expected: Value, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(value == expected, sourceLocation: location)
    }

    @Test func theOldestGoesFirst() {
        var queue = queue()
        expect(queue.next(at: start), .rest)
        let (young, old) = (entry(1), entry(2, age: 60))
        add([young, old], to: &queue)
        expect(queue.next(at: start), .send(old))
        expect(queue.ended(old.id, .sent, at: start, entropy: 0), .remove)
        expect(queue.next(at: start), .send(young))
        expect(queue.ended(young.id, .refused, at: start, entropy: 0), .remove)
        expect(queue.next(at: start), .rest)
        #expect(queue.bytes == 0)
    }

    @Test func aFailureHoldsItsAddressAlone() {
        var queue = queue()
        let (first, second, other) = (entry(1, age: 9), entry(2, age: 5), entry(3, "https://b.example/"))
        add([first, second, other], to: &queue)
        let due = start.advanced(bySeconds: 30)
        expect(queue.ended(first.id, .failed(retryAfter: nil), at: start, entropy: 30), .keep(attempts: 1, due: due))
        expect(queue.next(at: start), .send(other))
        expect(queue.ended(other.id, .sent, at: start, entropy: 0), .remove)
        expect(queue.next(at: start), .wait(30))
        var again = first
        again.attempts = 1
        expect(queue.next(at: due), .send(again))
        expect(queue.ended(first.id, .sent, at: due, entropy: 0), .remove)
        expect(queue.next(at: due), .send(second))
    }

    /// Full jitter: anything from a second to the maximum, which doubles up to the ceiling.
    @Test func theWaitsGrow() {
        for (failures, maximum) in [(1, 30), (2, 60), (3, 120), (10, 15_360), (11, 21_600), (500, 21_600)]
            as [(Int, Int64)]
        {
            #expect(backoff.delay(failures: failures, entropy: UInt64(maximum)) == maximum)
            #expect(backoff.delay(failures: failures, entropy: UInt64(maximum) + 1) == 1)
        }
        #expect(backoff.delay(failures: .max, entropy: .max) <= 21_600)
        #expect(backoff.delay(failures: .min, entropy: 0) == 1)
        let strange = Backoff(base: .max, ceiling: .max, retryAfterCeiling: .max)
        #expect(strange.delay(failures: .max, retryAfter: .infinity, entropy: .max) <= 1 << 32)
        #expect(
            Backoff(base: -1, ceiling: -1, retryAfterCeiling: -1).delay(failures: 3, retryAfter: 9, entropy: 7) == 1)
    }

    /// A collector may ask for more time, and not for years.
    @Test(arguments: [
        (10.0, 10), (3_600, 3_600), (86_401, 86_400), (1e12, 86_400), (.infinity, 86_400), (.nan, 1), (-5, 1),
    ])
    func retryAfterIsBounded(asked: Double, expected: Int64) {
        #expect(backoff.delay(failures: 1, retryAfter: asked, entropy: 0) == expected)
    }

    @Test func whatIsTooOldOrTriedTooOftenIsDropped() {
        var queue = queue { $0.attempts = 2 }
        let (old, tried) = (entry(1, age: 7 * 86_400 + 1), entry(2, age: 7 * 86_400))
        add([old, tried], to: &queue)
        expect(queue.next(at: start), .drop(old))
        expect(queue.next(at: start), .send(tried))
        for _ in 1...2 { _ = queue.ended(tried.id, .failed(retryAfter: nil), at: start, entropy: 0) }
        guard case .drop(let dropped) = queue.next(at: start) else {
            Issue.record("not dropped")
            return
        }
        #expect(dropped.id == tried.id && dropped.attempts == 2)
    }

    @Test func thereIsNoRoomBeyondTheLimits() {
        for limited in [queue { $0.reports = 2 }, queue { $0.bytes = 250 }] {
            var queue = limited
            add([entry(1), entry(2)], to: &queue)
            add([entry(3)], to: &queue, hasRoom: false)
            queue.forget(entry(1).id)
            add([entry(3)], to: &queue)
            queue.forget(entry(2).id)
            // The same one twice.
            add([entry(3)], to: &queue, hasRoom: false)
        }
    }

    /// What was being given time before a restart is given it after it.
    @Test func theHoldSurvivesARestart() {
        var queue = queue()
        let isTaken = queue.restore(entry(1, attempts: 3), due: start.advanced(bySeconds: 100))
        #expect(isTaken)
        add([entry(2)], to: &queue)
        expect(queue.next(at: start), .wait(100))
        let due = start.advanced(bySeconds: 100)
        // The fourth failure in a row.
        expect(
            queue.ended(entry(1).id, .failed(retryAfter: nil), at: due, entropy: 240),
            .keep(attempts: 4, due: due.advanced(bySeconds: 240)))
    }

    /// Nothing waits for longer than the longest wait, whatever the clock, or a file, says.
    @Test func aClockThatGoesBackHoldsNothingUp() {
        var queue = queue()
        let future = ReportQueue.Entry(
            ReportDelivery(
                id: ReportDelivery.id(0, 1), url: "https://a.example/", created: start.advanced(bySeconds: 1 << 40),
                body: "{}"), size: 1)
        let isTaken = queue.restore(future, due: start)
        let isOtherTaken = queue.restore(
            entry(2, "https://b.example/", attempts: 1), due: start.advanced(bySeconds: 1 << 40))
        #expect(isTaken && isOtherTaken)
        guard case .send(let sent) = queue.next(at: start) else {
            Issue.record("not sent")
            return
        }
        #expect(sent.created == start)
        expect(queue.ended(sent.id, .sent, at: start, entropy: 0), .remove)
        expect(queue.next(at: start), .wait(86_400))
    }

    @Test func anUnknownReportChangesNothing() {
        var queue = queue()
        add([entry(1)], to: &queue)
        let before = queue
        expect(queue.ended("nobody", .failed(retryAfter: 9), at: start, entropy: 0), .nothing)
        #expect(queue == before)
    }

    @Test func aFileIsReadBack() throws {
        var delivery = ReportDelivery(
            id: ReportDelivery.id(.max, 1), url: "https://a.example/x?y=\"z\"", created: start,
            body: "{\"a\": \"\u{0}\u{1F}\u{2028}\\ \u{1F600}\"}")
        delivery.attempts = 7
        delivery.due = start.advanced(bySeconds: 9)
        #expect(try ReportDelivery(file: delivery.file) == delivery)
        let file = delivery.file
        for length in 0..<file.count - 1 {
            #expect(throws: JSONFault.self) { try ReportDelivery(file: Array(file[..<length])) }
        }
        let text = String(decoding: file, as: UTF8.self)
        for (from, to) in [
            ("\"holdfastReport\": 1", "\"holdfastReport\": 2"), ("\"attempts\": 7", "\"attempts\": 7.5"),
            ("\"attempts\": 7", "\"attempts\": 99999999999999999999"), ("\\u0000", "x"),
            ("ffffffffffffffff", "../../../etc/shad"),
            ("\"body\"", "\"boby\""),
        ] {
            #expect(text.contains(from))
            #expect(throws: JSONFault.self) {
                try ReportDelivery(file: Array(text.replacing(from, with: to).utf8))
            }
        }
        let extreme = text.replacing("\"created\": 1900000000", with: "\"created\": -9223372036854775808")
        #expect(try ReportDelivery(file: Array(extreme.utf8)).created.secondsSince1970 == -(1 << 40))
    }
}
