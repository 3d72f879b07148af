import ChatCenterCore
import ChatWire
import Testing

/// Tests the schedule: days, seconds, the clock in use, and whether messages can be sent.
@Suite struct HoursTests {
    /// 2025-03-06 was a Thursday.
    static func at(_ time: String) -> Int64 { WireTime.milliseconds(time) ?? 0 }

    static let office = Schedule(
        active: true, sendDuringInactive: false, notification: "At nine",
        intervals: (1...5).map { Schedule.Interval(weekDay: $0, startTime: 32_400, endTime: 64_799) })

    @Test(arguments: [
        ("2025-03-06T08:59:59.999Z", false), ("2025-03-06T09:00:00.000Z", true), ("2025-03-06T17:59:59.999Z", true),
        ("2025-03-06T18:00:00.000Z", false), ("2025-03-08T12:00:00.000Z", false), ("2025-03-09T12:00:00.000Z", false),
        ("2025-03-10T12:00:00.000Z", true), ("1969-12-31T12:00:00.000Z", true), ("1970-01-04T12:00:00.000Z", false),
    ])
    func officeHours(_ time: String, _ isOpen: Bool) {
        #expect(Self.office.isOpen(at: Self.at(time)) == isOpen)
    }

    @Test func theStatusOfASchedule() {
        let noon = Self.at("2025-03-06T12:00:00.000Z")
        var schedule = Self.office
        schedule.active = false
        #expect(!schedule.isOpen(at: noon))
        #expect(Schedule().isOpen(at: noon), "an empty schedule is always open")
        #expect(Schedule(active: true).isOpen(at: noon))
        #expect(!Schedule(active: true, intervals: [.init(weekDay: 1, startTime: 0, endTime: 86_399)]).isOpen(at: noon))
        // A whole week without a gap at midnight.
        let always = Schedule(intervals: (1...7).map { .init(weekDay: $0, startTime: 0, endTime: 86_399) })
        for second in stride(from: Int64(0), to: 8 * 86_400, by: 1799) { #expect(always.isOpen(at: second * 1000)) }
        // Over midnight, and from Sunday to Monday.
        let night = Schedule(intervals: [.init(weekDay: 7, startTime: 79_200, endTime: 21_599)])
        #expect(night.isOpen(at: Self.at("2025-03-09T23:00:00.000Z")))
        #expect(night.isOpen(at: Self.at("2025-03-10T05:59:59.000Z")))
        #expect(!night.isOpen(at: Self.at("2025-03-10T06:00:00.000Z")))
        #expect(!night.isOpen(at: Self.at("2025-03-09T21:59:59.000Z")))
    }

    @Test func theNextChangeIsKnown() {
        #expect(Self.office.untilChange(at: Self.at("2025-03-06T08:59:59.500Z")) == 500)
        #expect(Self.office.untilChange(at: Self.at("2025-03-06T09:00:00.000Z")) == Int64(32_400_000))
        #expect(
            Self.office.untilChange(at: Self.at("2025-03-07T18:00:00.000Z")) == Int64(226_800_000), "over the weekend")
        #expect(Schedule(active: true).untilChange(at: 0) == nil)
    }

    @Test func invalidIntervalsDoNotTrap() {
        let absurd = Schedule(intervals: [
            .init(weekDay: 1, startTime: .min, endTime: .max), .init(weekDay: 7, startTime: .max, endTime: .min),
        ])
        for time in [Int64.min, -1, 0, .max] {
            _ = absurd.isOpen(at: time)
            #expect(absurd.untilChange(at: time).map { $0 > 0 } ?? true)
        }
    }

    /// Returns a chat whose device clock is wrong by a day and a half.
    func chat(serverTime: String, _ schedule: Schedule = HoursTests.office) -> Chat {
        var chat = Chat()
        chat.server.clock = Self.at(serverTime)
        var schedule = schedule
        schedule.serverTime = Self.at(serverTime)
        chat.server.configuration.schedule = schedule
        chat.now.wall = Self.at(serverTime) - 129_600_000
        chat.authorize()
        chat.open()
        return chat
    }

    @Test func theServersClockAppliesAndTheScreenUpdatesByItself() {
        var chat = chat(serverTime: "2025-03-06T17:59:00.000Z")
        #expect(chat.screen.input.isEnabled)
        #expect(chat.screen.banners.isEmpty)
        chat.advance(milliseconds: 59_000)
        #expect(chat.screen.input.isEnabled)
        chat.advance(milliseconds: 2000)
        #expect(chat.screen.input.blocked == .outOfHours("At nine"))
        #expect(chat.screen.banners == [.outOfHours("At nine")])
        chat.advance(milliseconds: 15 * 3_600_000)
        #expect(chat.screen.input.isEnabled)
        #expect(chat.screen.banners.isEmpty)
    }

    @Test func sendDuringInactiveLetsTheUserWrite() {
        var schedule = Self.office
        schedule.sendDuringInactive = true
        let chat = chat(serverTime: "2025-03-08T12:00:00.000Z", schedule)
        #expect(chat.screen.input.isEnabled)
        #expect(chat.screen.banners == [.outOfHours("At nine")], "the banner is still shown")
    }

    @Test func noTimerRunsInTheBackground() {
        var chat = chat(serverTime: "2025-03-06T17:59:00.000Z")
        #expect(chat.core.nextWake != nil)
        chat.handle(.enteredBackground)
        chat.advance(milliseconds: 120_000)
        chat.server.clock += 120_000
        chat.handle(.enteredForeground)
        #expect(chat.screen.input.blocked == .outOfHours("At nine"))
    }

    @Test func theReceiptOfAnEarlierAttemptDoesNotSetTheClock() {
        var chat = chat(serverTime: "2025-03-06T12:00:00.000Z")
        chat.server.silence = .message
        chat.send("Hi", "a-1")
        chat.server.clock += 10 * 3_600_000
        guard let generation = chat.core.liveGeneration, case .transmit(_, _, let frame) = chat.networkCommands.last
        else {
            Issue.record("no message was sent")
            return
        }
        let receipt = SendReceipt(messageID: "m", sentAt: Self.at("2025-03-06T03:00:00.000Z"))
        chat.handle(.network(.received(generation, ServerFrame(.receipt(receipt), correlationID: frame.correlationID))))
        #expect(chat.own("a-1") == .sent)
        #expect(chat.screen.input.isEnabled, "the receipt contains the time of the first attempt")
    }
}
