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

    /// Reports about one host fill the spool. Reports about other hosts replace the newest of them, up to a fair
    /// share.
    @Test func aFloodLosesItsPlaces() {
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
        // Five reports each: neither host replaces the other's, and a third host replaces some of both.
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

    /// `#expect` does not accept a mutating call.
    private func expect<Value: Equatable>(
        _ value: Value, _ expected: Value, at location: SourceLocation = #_sourceLocation
    ) {
        #expect(value == expected, sourceLocation: location)
    }

    @Test func theOldestReportIsSentFirst() {
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

    @Test func aFailureDelaysOnlyItsAddress() {
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
        // Reports without an attempt come first.
        expect(queue.next(at: due), .send(second))
        expect(queue.ended(second.id, .sent, at: due, entropy: 0), .remove)
        expect(queue.next(at: due), .send(again))
    }

    /// A report that its collector cannot process delays the others once. Its own delay keeps growing.
    @Test func aRejectedReportDoesNotBlockOthers() {
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
            // The address waits half a minute, whatever the delay of the rejected report.
            now = now.advanced(bySeconds: 30)
            guard case .send(let good) = queue.next(at: now), good.id != poison.id else {
                Issue.record("delayed in round \(round)")
                return
            }
            expect(queue.ended(good.id, .sent, at: now, entropy: 0), .remove)
            if case .wait(let seconds) = queue.next(at: now) { now = now.advanced(bySeconds: seconds) }
        }
        // The next delay, of up to six hours, applies only to the rejected report.
        #expect(queue.entries.map(\.tries) == [10])
        _ = queue.ended(poison.id, .failed(retryAfter: nil), at: now, entropy: 15_000)
        add([entry(99)], to: &queue)
        expect(queue.next(at: now.advanced(bySeconds: 30)), .send(queue.entries.first { $0.tries == 0 } ?? entry(0)))
        expect(queue.ended(entry(99).id, .sent, at: now, entropy: 0), .remove)
        expect(queue.next(at: now), .wait(15_000))
    }

    /// An absent network does not use up the attempts of a report.
    @Test func onlyResponsesCountAsAttempts() {
        var queue = queue { $0.attempts = 2 }
        add([entry(1)], to: &queue)
        var now = start
        for _ in 1...50 {
            _ = queue.ended(entry(1).id, .unreachable, at: now, entropy: 21_600)
            now = queue.entries[0].due
        }
        #expect(queue.entries[0].attempts == 0 && queue.entries[0].tries == 50)
        // The limit of a week applies nevertheless.
        #expect(now.secondsSince1970 - start.secondsSince1970 > 7 * 86_400)
        let last = queue.entries[0]
        expect(queue.next(at: now), .drop(last))
    }

    /// A report that cannot be read from the disk waits, and the others are sent.
    @Test func anUnreadableReportWaitsAlone() {
        var queue = queue()
        add([entry(1, age: 9), entry(2)], to: &queue)
        queue.postpone(entry(1).id, until: start.advanced(bySeconds: 60))
        expect(queue.next(at: start), .send(entry(2)))
        expect(queue.ended(entry(2).id, .sent, at: start, entropy: 0), .remove)
        expect(queue.next(at: start), .wait(60))
    }

    /// Full jitter: a random delay between one second and the maximum, which doubles up to the ceiling.
    @Test func theDelaysGrow() {
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

    /// A collector may ask for a longer delay, up to a limit.
    @Test(arguments: [
        (10.0, 10), (3_600, 3_600), (86_401, 86_400), (1e12, 86_400), (.infinity, 86_400), (.nan, 1), (-5, 1),
    ])
    func retryAfterIsBounded(asked: Double, expected: Int64) {
        #expect(backoff.delay(failures: 1, retryAfter: asked, entropy: 0) == expected)
    }

    @Test func reportsThatAreTooOldOrTriedTooOftenAreDropped() {
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

    /// After the clock was set forward, or the machine was off for long, a report without an attempt is not lost.
    @Test func anUntriedReportIsTriedOnce() {
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

    @Test func theQueueIsLimited() {
        for limited in [queue { $0.reports = 2 }, queue { $0.bytes = 250 }] {
            var queue = limited
            add([entry(1), entry(2)], to: &queue)
            add([entry(3)], to: &queue, hasRoom: false)
            queue.forget(entry(1).id)
            add([entry(3)], to: &queue)
            queue.forget(entry(2).id)
            // The same report twice.
            add([entry(3)], to: &queue, hasRoom: false)
        }
    }

    /// A delay from before a restart continues after it.
    @Test func theDelaySurvivesARestart() {
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

    /// No delay exceeds the maximum, whatever the clock or a file contains.
    @Test func aClockThatGoesBackDelaysNothing() {
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

    @Test func aFileRoundTrips() throws {
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
