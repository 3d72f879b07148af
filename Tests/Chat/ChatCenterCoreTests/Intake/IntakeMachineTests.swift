import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests how items from the server are merged.
@Suite struct IntakeMachineTests {
    let now = Moment(monotonic: 0, wall: 1000)
    let id = MessageID("m-1")

    func content(_ uuid: String = "m-1", _ text: String = "Hi", messageID: String? = nil) -> Content {
        Content(
            .message, uuid: uuid, messageID: messageID, operator: Operator(id: "o", name: "Olga"), text: text,
            receivedDate: 5)
    }

    func window(_ state: MessageState, _ content: Content) -> MessageWindow {
        var window = MessageWindow()
        let position = window.placeAtEnd(time: 5)
        window.save(StoredMessage(id: id, content: content, position: position, state: state))
        return window
    }

    /// Returns the actions without the one that passes on the item.
    func absorb(
        _ content: Content, from source: Incoming.Source = .live, _ intake: inout IntakeMachine,
        _ window: inout MessageWindow
    ) -> [CoreAction] {
        intake.absorb([Incoming(content)], from: source, &window, at: now).filter {
            if case .noteContent = $0 { false } else { true }
        }
    }

    func absorb(_ content: Content, from source: Incoming.Source = .live) -> [CoreAction] {
        var intake = IntakeMachine()
        var window = MessageWindow()
        return absorb(content, from: source, &intake, &window)
    }

    @Test func aMessageIsAddedOnce() throws {
        var intake = IntakeMachine()
        var window = MessageWindow()
        let actions = absorb(content(), &intake, &window)
        let message = try #require(window[id])
        #expect(message.state == .received(.unread))
        #expect(
            actions == [
                .fill(to: 5), .save(.saveMessage(message)), .held(message, time: 5, from: .live),
                .received([id], from: .live),
            ])
        #expect(absorb(content(), &intake, &window).isEmpty)
        #expect(window.messages.count == 1)
    }

    @Test func anOwnMessageOnTheServerIsNoLongerPending() {
        var intake = IntakeMachine()
        let own = Content(.message, uuid: "m-1", text: "Hi", receivedDate: 5)
        let entry = OutboxEntry(sequence: 1, expires: now.after(milliseconds: 1000))
        var window = window(.own(.queued(entry, deadline: nil)), own)
        let actions = absorb(own, &intake, &window)
        #expect(actions.first == .arrived(id))
        #expect(actions.last == .tell(id, .sent))
        #expect(intake.status(.read, of: "m-1", &window).last == .tell(id, .read))
        #expect(intake.status(.delivered, of: "m-1", &window).isEmpty, "a late status is ignored")
    }

    @Test func aChangeOfAStoredMessageGoesToTheStore() {
        var window = MessageWindow()
        let status = IntakeMachine().status(.read, of: "s-1", &window)
        #expect(status == [.save(.amend(Amendment(.statusID("s-1"), .status(.read))))])
        let deleted = absorb(Content(.messageDeleted, uuid: "m-1"))
        #expect(deleted == [.save(.amend(Amendment(.id(id), .deleted)))])
    }

    @Test func aStoredMessageIsNotNew() {
        var window = MessageWindow()
        let frame = ServerFrame(
            .messages([DeliveredMessage(messageID: "s-1", sentAt: 5, content: content())]))
        let event = ChatEvent.network(.received(Generation(1), frame))
        func names(_ live: UInt64, _ window: MessageWindow) -> [String] {
            IntakeMachine.namesToRecall(for: event, live: Generation(live), in: window)
        }
        #expect(names(1, window).isEmpty, "the store has no other messages")
        window.storeHasOlder = true
        #expect(names(2, window).isEmpty, "the event belongs to another socket")
        #expect(names(1, window) == ["m-1", "s-1"])
        var intake = IntakeMachine()
        let past = StoredMessage(
            id: id, content: content(), position: MessagePosition(time: 5, sequence: 1), state: .received(.read))
        intake.recall([past])
        let actions = absorb(content("m-1", "Hi", messageID: "s-1"), &intake, &window)
        #expect(actions.count == 1, "the store gets the server's id")
        #expect(window.messages.isEmpty)
    }

    @Test func missedSettingsAreRequested() {
        let pushed = Content(.attachmentSettings(AttachmentSettings(maxSize: 1, fileExtensions: [])))
        #expect(absorb(pushed) == [.pushed(pushed.body)])
        #expect(absorb(pushed, from: .gap(isFirst: false)) == [.requestConfiguration])
        #expect(absorb(pushed, from: .gap(isFirst: true)).isEmpty)
        #expect(absorb(pushed, from: .older).isEmpty)
    }

    @Test func onlyALiveMessageShowsTyping() {
        let typing = Content(.typing(draft: nil, operatorName: "Olga"))
        #expect(absorb(typing) == [.heardTyping("Olga")])
        #expect(absorb(typing, from: .older).isEmpty)
    }

    @Test func anUnknownItemIsReportedAndKept() {
        let actions = absorb(Content(.unknown(type: "NEW", raw: .null), uuid: "m-1", receivedDate: 5))
        let line = "unknown item type NEW; the item is stored unchanged"
        #expect(actions.first == .log(.error, line))
        #expect(actions.count == 4)
    }
}
