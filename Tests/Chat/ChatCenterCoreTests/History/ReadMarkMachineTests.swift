import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests read marks and the unread count: local counts, reports to the server and polls.
@Suite struct ReadMarkMachineTests {
    static let now = Moment(monotonic: 0, wall: 1_000_000)
    static let due = Moment(monotonic: 60_000_000_000, wall: 1_060_000)
    let clock = ServerClock()

    func message(_ number: Int, _ state: MessageState = .received(.unread)) -> StoredMessage {
        StoredMessage(
            id: MessageID("m-\(number)"), content: Content(.message, uuid: "m-\(number)"),
            position: MessagePosition(time: Self.now.wall, sequence: Int64(number)), state: state)
    }

    func window(_ count: Int, _ state: MessageState = .received(.unread)) -> MessageWindow {
        var window = MessageWindow()
        for number in 0..<count { window.save(message(number, state)) }
        return window
    }

    @Test func theServersCountCorrectsTheLocalCount() {
        let window = window(2)
        var machine = ReadMarkMachine(pollInterval: 0)
        #expect(machine.tell(window) == [.notify(.unread(2))])
        #expect(machine.tell(window).isEmpty)
        machine.counted(UnreadAnswer(count: 5), in: window, at: Self.now, clock, isLooking: false)
        #expect(machine.count(in: window) == 5)
        #expect(machine.tell(window) == [.notify(.unread(5))])
        machine.held(message(2), time: nil, wasMissed: true)
        #expect(machine.count(in: self.window(3)) == 5, "the server's count includes the message")
        machine.held(message(3), time: Self.now.wall + 1, wasMissed: false)
        #expect(machine.count(in: self.window(4)) == 6, "the message is newer than the count")
    }

    @Test func anOutdatedCountIsIgnored() {
        let window = window(1)
        var machine = ReadMarkMachine(pollInterval: 0)
        #expect(machine.ask(Ticket(1), window, isAuthorized: true) == [.call(.unread, for: .unreadQuestion(Ticket(1)))])
        machine.newsArrived()
        machine.counted(UnreadAnswer(count: 9), in: window, at: Self.now, clock, isLooking: false)
        #expect(machine.count(in: window) == 1)
        _ = machine.ask(Ticket(2), self.window(1, .received(.readHere)), isAuthorized: true)
        machine.counted(UnreadAnswer(count: 9), in: window, at: Self.now, clock, isLooking: false)
        #expect(machine.count(in: window) == 1, "the count may include messages that were read here")
        _ = machine.ask(Ticket(3), window, isAuthorized: true)
        machine.counted(UnreadAnswer(count: 9), in: window, at: Self.now, clock, isLooking: true)
        #expect(machine.count(in: window) == 1)
        machine.counted(UnreadAnswer(count: 9), in: window, at: Self.now, clock, isLooking: false)
        #expect(machine.count(in: window) == 9)
    }

    @Test func visibleMessagesBecomeRead() {
        var machine = ReadMarkMachine(pollInterval: 0)
        let read = message(0, .received(.readHere))
        #expect(machine.lookedAt(window(1)) == [.keep(read)])
        #expect(machine.lookedAt(window(1, .received(.readHere))).isEmpty)
        #expect(
            machine.marksArrived([MessageID("m-0"), MessageID("other")], in: window(1, .received(.readHere)))
                == [.keep(message(0, .received(.read)))])
    }

    @Test func readMarksAreSentInBatchesAndRetriedAFewTimes() {
        let window = window(ReadMarkMachine.longestStatusList + 1, .received(.readHere))
        var machine = ReadMarkMachine(pollInterval: 0)
        #expect(machine.sendMarks(of: window, isUnderWay: true).isEmpty)
        for _ in 0..<ReadMarkMachine.mostTries {
            guard
                case .tellStatuses(let changes, .reading(let ids)) = machine.sendMarks(of: window, isUnderWay: false)
                    .first
            else {
                Issue.record("no read marks were sent")
                return
            }
            #expect(changes.count == ReadMarkMachine.longestStatusList)
            #expect(ids.first == MessageID("m-0"))
        }
        #expect(machine.sendMarks(of: window, isUnderWay: false).isEmpty)
        machine.socketIsGone()
        #expect(machine.sendMarks(of: window, isUnderWay: false).count == 1)
        #expect(machine.sendMarks(of: MessageWindow(), isUnderWay: false).isEmpty)
    }

    @Test func newMessagesAreReportedAsDeliveredInBatches() {
        let window = window(ReadMarkMachine.longestStatusList + 1)
        let actions = ReadMarkMachine(pollInterval: 0).sendDelivered(window.messages.map(\.id), in: window)
        #expect(actions.count == 2)
        #expect(
            actions.last
                == .tellStatuses(
                    [StatusChange(messageID: "m-\(ReadMarkMachine.longestStatusList)", status: .delivered)],
                    for: .courtesy))
    }

    @Test func aPollStartsAfterTheEndOfThePreviousOne() {
        let window = window(1)
        var machine = ReadMarkMachine(pollInterval: 60_000)
        #expect(machine.expire(window, at: Self.due, isPossible: true).isEmpty)
        machine.schedulePoll(at: Self.now)
        #expect(machine.wake == Self.due.monotonic)
        #expect(machine.expire(window, at: Self.now, isPossible: true).isEmpty)
        #expect(machine.expire(window, at: Self.due, isPossible: true) == [.call(.unread, for: .unreadPoll)])
        #expect(machine.wake == nil)
        let told = machine.pollAnswered(UnreadAnswer(count: 4), in: window, at: Self.due, clock, isLooking: false)
        #expect(told == [.notify(.unread(4))])
        #expect(machine.wake == Self.due.after(milliseconds: 60_000).monotonic)
        #expect(machine.poll(window, at: Self.due, isPossible: false).isEmpty)
        #expect(machine.wake == Self.due.after(milliseconds: 60_000).monotonic, "the poll is scheduled again")
        machine.forgetUser()
        #expect(machine == ReadMarkMachine(pollInterval: 60_000))
        var never = ReadMarkMachine(pollInterval: 0)
        never.schedulePoll(at: Self.now)
        #expect(never.wake == nil)
    }
}
