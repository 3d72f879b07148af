import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the dialog machine: whether a dialog is active, and what the screen shows about operators.
@Suite struct DialogMachineTests {
    func note(_ machine: inout DialogMachine, _ body: ContentBody, at time: Int64?, operator name: String? = nil)
        -> DialogState?
    {
        let content = Content(body, operator: name.map { Operator(id: nil, name: $0) }, text: "soon")
        return machine.note(content, time: time)
    }

    @Test func theNewestThreadDecides() {
        var machine = DialogMachine()
        #expect(note(&machine, .threadOpened, at: 10) == DialogState(phase: .active, since: 10))
        #expect(machine.phase == .active)
        #expect(note(&machine, .threadClosed, at: 9) == nil, "an older event is ignored")
        #expect(note(&machine, .message, at: 11) == nil)
        #expect(note(&machine, .threadClosed, at: 12) == DialogState(phase: .ended, since: 12))
        #expect(note(&machine, .threadClosed, at: 12) == nil, "nothing changed")
        #expect(note(&machine, .threadOpened, at: nil) == DialogState(phase: .active, since: 12))
    }

    @Test func theTitleFollowsTheOperators() {
        var machine = DialogMachine()
        #expect(machine.title == .opened)
        _ = note(&machine, .threadEnqueued, at: 1)
        #expect(machine.title == .waiting)
        _ = note(&machine, .averageWaitTime, at: 2)
        #expect(machine.shownWait == "soon")
        _ = note(&machine, .operatorJoined, at: 3, operator: "Bo")
        guard case .working(let other) = machine.title else {
            Issue.record("no operator is set")
            return
        }
        #expect(other.name == "Bo")
        #expect(machine.shownWait == nil)
        _ = note(&machine, .threadWillBeReassigned, at: 4)
        #expect(machine.title == .waitingForSpecialist)
        _ = note(&machine, .threadClosed, at: 5)
        #expect(machine.title == .opened)
    }

    @Test func theHistoryProvidesAnOperatorThatNoMessageNames() {
        var machine = DialogMachine()
        let info: JSONObject = ["name": "Bo"]
        machine.noteAgent(info)
        #expect(machine.title == .opened, "no dialog is active")
        _ = note(&machine, .threadOpened, at: 1)
        machine.noteAgent(info)
        machine.noteAgent(["name": "Al"])
        guard case .working(let other) = machine.title else {
            Issue.record("no operator is set")
            return
        }
        #expect(other.name == "Bo")
    }

    @Test func aBlockedClientIsBlockedUntilItIsUnblocked() {
        var machine = DialogMachine()
        #expect(machine.clientBlocked == nil)
        _ = note(&machine, .clientBlocked, at: 1)
        #expect(machine.clientBlocked == .some("soon"))
        _ = note(&machine, .clientUnblocked, at: 2)
        #expect(machine.clientBlocked == nil)
    }

    @Test func theDialogIsRestoredFromTheStore() {
        var window = MessageWindow()
        let content = Content(.operatorJoined, operator: Operator(id: nil, name: "Bo"))
        window.save(
            StoredMessage(
                id: MessageID("m"), content: content, position: MessagePosition(time: 1, sequence: 1),
                state: .received(.read)))
        var machine = DialogMachine()
        machine.restore(DialogState(phase: .active, since: 5), window.messages)
        #expect(machine.phase == .active)
        #expect(machine.title != .opened)
    }
}
