import ChatWire
import Testing

@testable import ChatServerCore

@Suite("Bot schedule")
struct BotScheduleTests {
    private func message(_ name: String) -> ServerMessage {
        ServerMessage(
            sequence: 1, clientID: "alice", messageID: name, uuid: name, isFromClient: true, sentAt: 0,
            content: Content(.message, text: name))
    }

    @Test("A message is read after a quarter of the delay, typing shows after a half")
    func steps() {
        var schedule = BotSchedule(bot: BotSettings(delay: 100), limit: 9)
        #expect(schedule.planAnswer(to: message("a"), at: 1000) == true)
        #expect(schedule.isAnswering(message("a")))
        #expect(schedule.nextDue == 1025)
        #expect(schedule.takeDue(at: 1024) == nil)
        #expect(schedule.takeDue(at: 1100)?.action == .read(messageID: "a"))
        #expect(schedule.takeDue(at: 1100)?.action == .type)
        #expect(schedule.takeDue(at: 1100)?.action == .answer(messageID: "a"))
        #expect(schedule.takeDue(at: .max) == nil)
        #expect(!schedule.isAnswering(message("a")))
    }

    @Test("Steps of several messages are sorted by time")
    func order() {
        var schedule = BotSchedule(bot: BotSettings(delay: 100), limit: 9)
        #expect(schedule.planAnswer(to: message("a"), at: 0) == true)
        #expect(schedule.planAnswer(to: message("b"), at: 10) == true)
        var due: [Int64] = []
        while let step = schedule.takeDue(at: .max) { due.append(step.due) }
        #expect(due == [25, 35, 50, 60, 100, 110])
    }

    @Test("An overloaded or missing bot plans nothing")
    func limit() {
        var busy = BotSchedule(bot: BotSettings(delay: 100), limit: 5)
        #expect(busy.planAnswer(to: message("a"), at: 0) == true)
        #expect(busy.planAnswer(to: message("b"), at: 0) == false)
        #expect(!busy.isAnswering(message("b")))
        var none = BotSchedule(bot: nil, limit: 5)
        #expect(none.planAnswer(to: message("a"), at: 0) == true)
        #expect(none.nextDue == nil)
    }
}
