import ChatCenterCoreTestSupport
import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the table "Behavior depending on settings" of the settings page, cell by cell, first as the function, then
/// with a core. Rows: chat open; chat closed; dialog ended; background; after logout.
@Suite struct SocketTableTests {
    /// A column of the table.
    enum Column: String, CaseIterable, Sendable {
        case standard, keepSocketActive, keepDuringOperatorSession

        var local: ChatLocalSettings {
            var local = ChatLocalSettings.standard
            local.keepSocketActive = self == .keepSocketActive
            local.keepSocketActiveDuringOperatorSession = self == .keepDuringOperatorSession
            return local
        }

        /// Returns a chat with an open screen, and a dialog if the column needs one.
        func chat(dialog: Bool = false) -> Chat {
            var chat = Chat(ChatSettings(providerUID: "p", local: local))
            chat.authorize()
            chat.open()
            if dialog { chat.push(Content(.threadOpened, threadID: 1, uuid: "t-1")) }
            return chat
        }
    }

    static let endOfDialog = Content(.threadClosed, threadID: 1, uuid: "t-2")

    @Test(arguments: Column.allCases)
    func chatOpenIsActive(_ column: Column) {
        #expect(column.chat().state == .ready)
        #expect(column.chat(dialog: true).state == .ready)
    }

    @Test(arguments: Column.allCases, [false, true])
    func chatClosed(_ column: Column, dialog: Bool) {
        var chat = column.chat(dialog: dialog)
        chat.close()
        #expect(chat.state == (column == .standard ? .closed(.chatClosed) : .ready))
    }

    @Test(arguments: Column.allCases)
    func theOperatorEndsTheDialogWhileTheChatIsOpen(_ column: Column) {
        var chat = column.chat(dialog: true)
        chat.push(Self.endOfDialog)
        #expect(chat.state == .ready, "an open chat keeps the socket, whatever the dialog does")
        chat.close()
        #expect(chat.state == (column == .keepSocketActive ? .ready : .closed(.chatClosed)))
    }

    @Test func theOperatorEndsTheDialogWhileTheChatIsClosed() {
        var chat = Column.keepDuringOperatorSession.chat(dialog: true)
        chat.close()
        chat.push(Self.endOfDialog)
        #expect(chat.state == .ready, "the socket closes at the next closeChat()")
        chat.open(2)
        chat.close(2)
        #expect(chat.state == .closed(.chatClosed))
        chat.open(3)
        chat.close(3)
        #expect(chat.state == .closed(.chatClosed), "the dialog has still ended")
        chat.open(4)
        chat.push(Content(.threadOpened, threadID: 2, uuid: "t-3"))
        chat.close(4)
        #expect(chat.state == .ready, "a new dialog keeps the socket again")
    }

    @Test(arguments: Column.allCases, [false, true])
    func backgroundAlwaysCloses(_ column: Column, open: Bool) {
        var chat = column.chat(dialog: true)
        if !open { chat.close() }
        chat.handle(.enteredBackground)
        #expect(chat.core.liveGeneration == nil)
        #expect(chat.state == .closed(open || column != .standard ? .background : .chatClosed))
        #expect(chat.core.nextWake == nil)
        // A socket that was open before reopens, a closed one stays closed.
        chat.handle(.enteredForeground)
        #expect((chat.state == .ready) == (open || column != .standard))
    }

    @Test func aDialogThatEndedBeforeTheBackgroundDoesNotReopenTheSocket() {
        var chat = Column.keepDuringOperatorSession.chat(dialog: true)
        chat.close()
        chat.push(Self.endOfDialog)
        chat.handle(.enteredBackground)
        chat.handle(.enteredForeground)
        #expect(chat.core.liveGeneration == nil)
    }

    @Test(arguments: Column.allCases, [false, true])
    func logoutAndDeauthorizeClose(_ column: Column, deauthorize: Bool) {
        var chat = column.chat(dialog: true)
        chat.handle(deauthorize ? .deauthorize : .logout(Ticket(1)))
        #expect(chat.state == .closed(.loggedOut))
        chat.close()
        chat.advance(milliseconds: 600_000)
        #expect(chat.core.liveGeneration == nil)
    }

    // MARK: Opening

    @Test(arguments: Column.allCases)
    func authorizeAloneOpensNoSocket(_ column: Column) {
        var chat = Chat(ChatSettings(providerUID: "p", local: column.local))
        chat.authorize()
        chat.handle(.getChat(ScreenID(1)))
        #expect(chat.openedSockets == 0)
    }

    @Test func theSettingsKeepAnOpenSocketButOpenNone() {
        var chat = Column.standard.chat()
        chat.close()
        #expect(chat.state == .closed(.chatClosed))
        // The server turns keepSocketActive on while no socket is open. No socket opens, now or after the background.
        chat.server.configuration.channelConfig = ChannelOverrides(keepSocketActive: true)
        chat.authorize(Chat.user, WireCredentials(token: "t-2"))
        #expect(chat.core.configuration.keepSocketActive.value)
        chat.handle(.enteredBackground)
        chat.handle(.enteredForeground)
        #expect(chat.core.liveGeneration == nil)
        chat.open(2)
        chat.close(2)
        #expect(chat.state == .ready)
    }

    // MARK: registerAtFirstStart

    func preRegistering(keep: Bool) -> Chat {
        var local = ChatLocalSettings.standard
        local.keepSocketActive = keep
        var chat = Chat(ChatSettings(providerUID: "p", local: local))
        chat.server.configuration.settings?.registerAtFirstStart = true
        return chat
    }

    @Test func preRegistrationClosesWhenTheAddressIsStored() {
        var chat = preRegistering(keep: false)
        chat.authorize()
        #expect(chat.openedSockets == 1)
        #expect(chat.stores.of("ann").contents.deviceAddress == "device-of-ann")
        #expect(chat.server.infos.map(\.preRegister) == [true])
        #expect(chat.state == .closed(.registered))
        chat.restart()
        chat.authorize()
        #expect(chat.openedSockets == 1, "with a stored address no socket opens")
    }

    @Test func preRegistrationStaysWithKeepSocketActive() {
        var chat = preRegistering(keep: true)
        chat.authorize()
        #expect(chat.state == .ready)
        chat.open()
        #expect(chat.openedSockets == 1)
        #expect(chat.server.infos.map(\.preRegister) == [true, false])
    }

    @Test func preRegistrationEndsAtTheFirstGetChatAtTheLatest() {
        for keep in [false, true] {
            var chat = preRegistering(keep: keep)
            chat.server.silence = .register
            chat.authorize()
            #expect(chat.state == .registering)
            chat.handle(.getChat(ScreenID(1)))
            #expect(chat.state == (keep ? .registering : .closed(.registered)))
        }
    }

    @Test func preRegistrationIsNotLeftInTheBackground() {
        var chat = preRegistering(keep: false)
        chat.handle(.enteredBackground)
        chat.authorize()
        #expect(chat.openedSockets == 0)
    }

    // MARK: The decision function

    /// Compares every combination of conditions with a second implementation of the table, ordered by what closes
    /// first.
    @Test func everyCombination() {
        func bit(_ index: Int, _ number: Int) -> Bool { number >> index & 1 == 1 }
        for number in 0..<2048 {
            var latches = SocketLatches()
            latches.chatRequested = bit(7, number)
            latches.chatOpened = bit(8, number)
            latches.dialogEndedAtClose = bit(9, number)
            latches.wasOpen = bit(10, number)
            let conditions = SocketConditions(
                authorised: bit(0, number), foreground: bit(1, number), chatOpen: bit(2, number),
                keepSocketActive: bit(3, number), keepSocketActiveDuringOperatorSession: bit(4, number),
                registerAtFirstStart: bit(5, number), hasDeviceAddress: bit(6, number), latches: latches)
            let usable = conditions.authorised && conditions.foreground
            let kept =
                latches.wasOpen
                && (conditions.keepSocketActive
                    || (conditions.keepSocketActiveDuringOperatorSession && latches.chatOpened
                        && !latches.dialogEndedAtClose))
            let first =
                conditions.registerAtFirstStart && !conditions.hasDeviceAddress && !latches.chatRequested
            switch conditions.wish {
            case .open: #expect(usable && (conditions.chatOpen || (kept && !first)))
            case .preRegistration: #expect(usable && !conditions.chatOpen && first)
            case .closed(.loggedOut): #expect(!conditions.authorised)
            case .closed(.background): #expect(conditions.authorised && !conditions.foreground)
            case .closed: #expect(usable && !conditions.chatOpen && !kept && !first)
            }
        }
    }
}
