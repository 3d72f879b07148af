import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// A complete conversation as synchronous calls.
@Suite struct ConversationTests {
    @Test func fromAuthorizeToLogout() throws {
        var chat = Chat()
        _ = chat.server.says("Welcome back", uuid: "o-0")

        // authorize: loads the configuration and the history over REST, without a socket.
        chat.authorize()
        #expect(chat.notices.contains(.authorized(.success(Chat.user))))
        #expect(chat.openedSockets == 0)
        #expect(chat.state == .idle)
        #expect(chat.screen.messages.map(\.text) == ["Welcome back"])
        #expect(chat.screen.unreadCount == 1)

        // getChat does not open a socket, viewDidAppear does. The device address is stored before the client sends
        // anything else.
        chat.forgetEffects()
        chat.handle(.getChat(ScreenID(1)))
        #expect(chat.openedSockets == 0)
        chat.handle(.screenAppeared(ScreenID(1)))
        #expect(chat.state == .ready)
        #expect(chat.server.registrations.map(\.clientID) == ["ann"])
        #expect(chat.server.infos.map(\.preRegister) == [false])
        let store = chat.stores.of("ann")
        #expect(store.contents.deviceAddress == "device-of-ann")
        #expect(chat.screen.title == .opened)

        // Visible messages are marked as read, and the server is told.
        #expect(chat.server.statuses == [StatusChange(messageID: "m-o-0", status: .read)])
        #expect(chat.screen.unreadCount == 0)

        // send: saved, acknowledged, transmitted, sent; in this order.
        chat.forgetEffects()
        chat.send("Hello", "a-1")
        let order = chat.effects.compactMap { effect -> String? in
            switch effect {
            case .commit(let transaction) where transaction.ticket != nil: "kept"
            case .acknowledge(_, .success(MessageID("a-1"))): "acknowledged"
            case .network(.transmit(_, _, let frame)):
                if case .sendMessage(let content, _) = frame.body { content.wireType } else { nil }
            case .notify(.message(_, let state)): "\(state)"
            default: nil
            }
        }
        #expect(order == ["kept", "acknowledged", "queued", "sending", "MESSAGE", "sent"])
        #expect(chat.own("a-1") == .sent)

        // Delivered and read statuses use the server's id of the message.
        let generation = try #require(chat.core.liveGeneration)
        for status in [MessageStatus.read, .delivered] {
            let frame = ServerFrame(.statuses([StatusChange(messageID: "m-a-1", status: status)]))
            chat.handle(.network(.received(generation, frame)))
            #expect(chat.own("a-1") == .read, "a late status does not change the state back")
        }

        // The operator types and answers.
        chat.push(Content(.typing(draft: nil, operatorName: "Eva"), operator: Operator(name: "Eva")))
        #expect(chat.screen.title == .typing("Eva"))
        let answer = chat.server.says("Hello Ann", uuid: "o-1")
        chat.push(answer)
        #expect(chat.screen.title == .opened)
        #expect(chat.screen.messages.map(\.text) == ["Welcome back", "Hello", "Hello Ann"])
        chat.push(answer)
        #expect(chat.screen.messages.count == 3, "a repeated message is shown once")

        // Closing the chat closes the socket.
        chat.forgetEffects()
        chat.close()
        #expect(chat.state == .closed(.chatClosed))

        // logout: deletes the local data, then reports to the server.
        chat.handle(.logout(Ticket(99)))
        #expect(chat.notices.contains(.loggedOut(Ticket(99), .server)))
        #expect(chat.server.offline == ["ann"])
        #expect(store.contents.isEmpty)
        #expect(chat.screen.messages.isEmpty)
        #expect(chat.state == .closed(.loggedOut))
        #expect(chat.core.nextWake == nil)
    }

    @Test func theSameEventsGiveTheSameEffects() {
        func run() -> [ChatEffect] {
            var chat = Chat()
            chat.authorize()
            chat.open()
            chat.send("One", "a-1")
            chat.breakLink()
            chat.send("Two", "a-2")
            chat.advance(milliseconds: 120_000)
            chat.close()
            return chat.effects
        }
        #expect(run() == run())
    }

    @Test func anUnknownIncomingMessageIsKeptAndShown() throws {
        var chat = Chat()
        chat.authorize()
        chat.open()
        let raw = try JSONValue(parsing: #"{"type":"HOLOGRAM","uuid":"h-1","receivedDate":"2025-03-06T16:12:51.438Z"}"#)
        chat.push(Content(raw))
        #expect(chat.message("h-1")?.kind == .unsupported("HOLOGRAM"))
        #expect(chat.stores.of("ann").contents.orderedMessages.map(\.content.json) == [raw])
    }
}
