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
        delivery.tries = attempts
        return ReportQueue.Entry(delivery, size: 100)
    }

    private func entry(_ number: UInt64, about: String, size: Int = 100) -> ReportQueue.Entry {
        ReportQueue.Entry(
            ReportDelivery(
                id: ReportDelivery.id(1, number), url: "https://a.example/", about: about,
                created: start.advanced(bySeconds: Int64(number)), body: "{}"), size: size)
    }

    /// Reports about one host fill the spool. Those about others take the places of its newest ones, to a fair share.
    @Test func aFloodGivesPlacesBack() {
        var queue = queue { $0.reports = 10 }
        for number: UInt64 in 1...10 {
            #expect(queue.displaced(by: 100, about: "flood") == [])
            add([entry(number, about: "flood")], to: &queue)
        }
        #expect(queue.displaced(by: 100, about: "flood") == nil)
        for number: UInt64 in 11...15 {
            let displaced = queue.displaced(by: 100, about: "quiet") ?? []
            #expect(displaced == [entry(21 - number, about: "flood")])
            for old in displaced { queue.forget(old.id) }
            add([entry(number, about: "quiet")], to: &queue)
        }
        // Five each: neither gives way to the other, and both do to a third.
        #expect(queue.displaced(by: 100, about: "quiet") == nil)
        #expect(queue.displaced(by: 100, about: "third") == [entry(15, about: "quiet")])
    }

    @Test func aLargeReportTakesAsManyPlacesAsItNeeds() {
        var queue = queue { $0.bytes = 1_000 }
        for number: UInt64 in 1...10 { add([entry(number, about: "flood")], to: &queue) }
        #expect(queue.displaced(by: 250, about: "quiet")?.count == 3)
        #expect(queue.displaced(by: 1_001, about: "quiet") == nil)
        #expect(queue.displaced(by: -1, about: "quiet") == nil)
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
        var again = first
        again.attempts = 1
        again.tries = 1
        again.due = due
        expect(queue.ended(first.id, .failed(retryAfter: nil), at: start, entropy: 30), .keep(again))
        expect(queue.next(at: start), .send(other))
        expect(queue.ended(other.id, .sent, at: start, entropy: 0), .remove)
        expect(queue.next(at: start), .wait(30))
        // What was not tried yet goes first.
        expect(queue.next(at: due), .send(second))
        expect(queue.ended(second.id, .sent, at: due, entropy: 0), .remove)
        expect(queue.next(at: due), .send(again))
    }

    /// A report that its collector cannot digest holds the others up once, and is given more and more time itself.
    @Test func aPoisonousReportKeepsNoOtherBack() {
        var queue = queue()
        let poison = entry(1, age: 3_600)
        add([poison], to: &queue)
        var now = start
        for round in 1...10 {
            expect(
                queue.next(at: now),
                .send(queue.entries.first { $0.id == poison.id && $0.tries == round - 1 } ?? entry(0)))
            _ = queue.ended(poison.id, .failed(retryAfter: nil), at: now, entropy: 30)
            add([entry(UInt64(round) + 1)], to: &queue)
            // The address has half a minute, whatever the poison has cost before.
            now = now.advanced(bySeconds: 30)
            guard case .send(let good) = queue.next(at: now), good.id != poison.id else {
                Issue.record("held up in round \(round)")
                return
            }
            expect(queue.ended(good.id, .sent, at: now, entropy: 0), .remove)
            if case .wait(let seconds) = queue.next(at: now) { now = now.advanced(bySeconds: seconds) }
        }
        // The next wait is drawn from up to six hours, and is the poison's alone.
        #expect(queue.entries.map(\.tries) == [10])
        _ = queue.ended(poison.id, .failed(retryAfter: nil), at: now, entropy: 15_000)
        add([entry(99)], to: &queue)
        expect(queue.next(at: now.advanced(bySeconds: 30)), .send(queue.entries.first { $0.tries == 0 } ?? entry(0)))
        expect(queue.ended(entry(99).id, .sent, at: now, entropy: 0), .remove)
        expect(queue.next(at: now), .wait(15_000))
    }

    /// A network that is away for longer than a report has attempts loses none.
    @Test func onlyAnswersCountAsAttempts() {
        var queue = queue { $0.attempts = 2 }
        add([entry(1)], to: &queue)
        var now = start
        for _ in 1...50 {
            _ = queue.ended(entry(1).id, .unreachable, at: now, entropy: 21_600)
            now = queue.entries[0].due
        }
        #expect(queue.entries[0].attempts == 0 && queue.entries[0].tries == 50)
        // A week bounds it all the same.
        #expect(now.secondsSince1970 - start.secondsSince1970 > 7 * 86_400)
        let last = queue.entries[0]
        expect(queue.next(at: now), .drop(last))
    }

    /// The disk does not hand one out: it waits, and the others go.
    @Test func whatCannotBeReadWaitsAlone() {
        var queue = queue()
        add([entry(1, age: 9), entry(2)], to: &queue)
        queue.postpone(entry(1).id, until: start.advanced(bySeconds: 60))
        expect(queue.next(at: start), .send(entry(2)))
        expect(queue.ended(entry(2).id, .sent, at: start, entropy: 0), .remove)
        expect(queue.next(at: start), .wait(60))
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
        let (old, tried) = (entry(1, age: 7 * 86_400 + 1, attempts: 1), entry(2, age: 7 * 86_400))
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

    /// A clock that was set forward, or a machine that was off for long, loses no report that was never tried.
    @Test func whatWasNeverTriedIsTriedOnce() {
        var queue = queue()
        let old = entry(1, age: 365 * 86_400)
        add([old], to: &queue)
        expect(queue.next(at: start), .send(old))
        guard case .keep(let tried) = queue.ended(old.id, .unreachable, at: start, entropy: 0) else {
            Issue.record("not kept")
            return
        }
        expect(queue.next(at: start), .drop(tried))
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
        var held = entry(1, attempts: 3)
        held.due = start.advanced(bySeconds: 100)
        let isTaken = queue.restore(held)
        #expect(isTaken)
        add([entry(2)], to: &queue)
        expect(queue.next(at: start), .wait(100))
        let due = start.advanced(bySeconds: 100)
        // The fourth failure in a row.
        held.attempts = 4
        held.tries = 4
        held.due = due.advanced(bySeconds: 240)
        expect(queue.ended(held.id, .failed(retryAfter: nil), at: due, entropy: 240), .keep(held))
    }

    /// Nothing waits for longer than the longest wait, whatever the clock, or a file, says.
    @Test func aClockThatGoesBackHoldsNothingUp() {
        var queue = queue()
        let future = ReportQueue.Entry(
            ReportDelivery(
                id: ReportDelivery.id(0, 1), url: "https://a.example/", created: start.advanced(bySeconds: 1 << 40),
                body: "{}"), size: 1)
        var other = entry(2, "https://b.example/", attempts: 1)
        other.due = start.advanced(bySeconds: 1 << 40)
        let isTaken = queue.restore(future)
        let isOtherTaken = queue.restore(other)
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
        delivery.tries = 9
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
