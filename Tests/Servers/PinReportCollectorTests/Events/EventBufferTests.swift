import Testing

@testable import PinReportCollector

/// Events that wait for their receiver.
@Suite("Event buffer")
struct EventBufferTests {
    private let second = EventBuffer.second

    private func refused(_ count: Int, _ code: String = "mediaType") -> ReportCollectorEvent {
        .refused(status: 415, code: code, count: count)
    }

    @Test func requestsOneWakeUpAtATime() {
        var buffer = EventBuffer(limit: 10)
        #expect(buffer.add(.repeated(1), at: 0) == .now)
        #expect(buffer.add(.repeated(2), at: 0) == .never)
        #expect(buffer.take(at: 0).events == [.repeated(1), .repeated(2)])
        #expect(buffer.take(at: 0).events.isEmpty)
        #expect(buffer.add(.repeated(3), at: 0) == .now)
    }

    @Test func excessEventsAreCounted() {
        var buffer = EventBuffer(limit: 2)
        for number in 0..<5 { _ = buffer.add(.repeated(Int64(number)), at: 0) }
        #expect(buffer.take(at: 0).events == [.repeated(0), .repeated(1), .dropped(3)])
        #expect(buffer.take(at: 0).events.isEmpty)
        _ = buffer.add(.repeated(9), at: 0)
        #expect(buffer.take(at: 0).events == [.repeated(9)])
    }

    @Test func floodOfRefusalsIsAFewEvents() {
        var buffer = EventBuffer(limit: 10)
        #expect(buffer.add(refused(1), at: 0) == .now)
        #expect(buffer.take(at: 0).events == [refused(1)])
        #expect(buffer.add(refused(1), at: second / 2) == .later(second / 2))
        for _ in 0..<998 { #expect(buffer.add(refused(1), at: second / 2) == .never) }
        #expect(buffer.add(refused(1, "contentCoding"), at: second / 2) == .now)
        #expect(buffer.take(at: second / 2).events == [refused(1, "contentCoding")])
        #expect(buffer.timerFired() == .now)
        let (events, wake) = buffer.take(at: second)
        #expect(events == [refused(999)])
        #expect(wake == .never)
        // A timer that fires too early is set again.
        #expect(buffer.add(refused(1), at: second + 1) == .later(second - 1))
        #expect(buffer.timerFired() == .now)
        let early = buffer.take(at: second + 2)
        #expect(early.events.isEmpty)
        #expect(early.wake == .later(second - 2))
    }

    @Test func lastTakeReturnsCountedRefusals() {
        var buffer = EventBuffer(limit: 10)
        for _ in 0..<3 { _ = buffer.add(refused(1), at: 0) }
        let (events, wake) = buffer.take(at: 0, isLast: true)
        #expect(events == [refused(1), refused(2)])
        #expect(wake == .never)
        #expect(buffer.take(at: 0, isLast: true).events.isEmpty)
    }

    @Test func nothingIsLostBetweenTwoSeconds() {
        var buffer = EventBuffer(limit: 10)
        for _ in 0..<3 { _ = buffer.add(refused(1), at: 0) }
        // The timer has not fired yet.
        _ = buffer.add(refused(1), at: 2 * second)
        #expect(buffer.take(at: 2 * second).events == [refused(1), refused(3)])
    }

    @Test func extremeTimesDoNotTrap() {
        var buffer = EventBuffer(limit: 10)
        for time in [Int64.min, .max, 0, .min] {
            _ = buffer.add(refused(.max), at: time)
            _ = buffer.add(refused(.max), at: time)
            _ = buffer.take(at: time)
        }
        #expect(buffer.take(at: .max, isLast: true).wake == .never)
    }
}
