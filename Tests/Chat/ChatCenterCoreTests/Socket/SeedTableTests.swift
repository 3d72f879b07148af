import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests "Behavior depending on settings", the settings page's own table (`seeds/002`): one test for each cell, over
/// each way that leads to its row. Also tests the three latches and `registerAtFirstStart`.
@Suite struct SeedTableTests {
    /// The columns of the table.
    enum Column: String, CaseIterable, Sendable {
        case standard = "keepSocketActive = false (default)"
        case keep = "keepSocketActive = true"
        case session = "keepSocketActiveDuringOperatorSession = true"

        var local: ChatLocalSettings {
            var local = ChatLocalSettings.standard
            local.keepSocketActive = self == .keep
            local.keepSocketActiveDuringOperatorSession = self == .session
            return local
        }
    }

    /// The rows of the table, and the ways to them.
    enum Way: String, CaseIterable, Sendable {
        case openWithoutDialog, openInDialog, openAfterDialog
        case closedWithoutDialog, closedInDialog
        case endedWhileOpenThenClosed, endedWhileClosedThenOpenedAndClosed
        case backgroundFromOpen, backgroundFromClosed, backgroundInDialog
        case loggedOut, deauthorized, loggedOutWhileClosed, deauthorizedWhileClosed

        var row: String {
            switch self {
            case .openWithoutDialog, .openInDialog, .openAfterDialog: "Chat open"
            case .closedWithoutDialog, .closedInDialog: "Chat closed, user authorized"
            case .endedWhileOpenThenClosed, .endedWhileClosedThenOpenedAndClosed:
                "Chat closed, dialog ended by operator"
            case .backgroundFromOpen, .backgroundFromClosed, .backgroundInDialog: "Application in background"
            case .loggedOut, .deauthorized, .loggedOutWhileClosed, .deauthorizedWhileClosed:
                "After logout() / deauthorizeUser()"
            }
        }

        func go(_ chat: inout Chat) {
            chat.authorize()
            chat.open()
            switch self {
            case .openInDialog, .openAfterDialog, .closedInDialog, .endedWhileOpenThenClosed,
                .endedWhileClosedThenOpenedAndClosed, .backgroundInDialog:
                chat.push(Content(.threadOpened, threadID: 1, uuid: "t-1"))
            default: break
            }
            switch self {
            case .openWithoutDialog, .openInDialog: break
            case .openAfterDialog: chat.push(SeedTableTests.endOfDialog)
            case .closedWithoutDialog, .closedInDialog: chat.close()
            case .endedWhileOpenThenClosed:
                chat.push(SeedTableTests.endOfDialog)
                chat.close()
            case .endedWhileClosedThenOpenedAndClosed:
                chat.close()
                chat.push(SeedTableTests.endOfDialog)
                chat.open(2)
                // If the socket was closed in the meantime, the event arrives now.
                chat.push(SeedTableTests.endOfDialog)
                chat.close(2)
            case .backgroundFromOpen, .backgroundInDialog: chat.handle(.enteredBackground)
            case .backgroundFromClosed:
                chat.close()
                chat.handle(.enteredBackground)
            case .loggedOut: chat.handle(.logout(Ticket(1)))
            case .deauthorized: chat.handle(.deauthorize)
            case .loggedOutWhileClosed:
                chat.close()
                chat.handle(.logout(Ticket(1)))
            case .deauthorizedWhileClosed:
                chat.close()
                chat.handle(.deauthorize)
            }
        }
    }

    static let endOfDialog = Content(.threadClosed, threadID: 1, uuid: "t-2")

    /// The table. True means "WebSocket active".
    static let table: [(row: String, cells: [Bool])] = [
        ("Chat open", [true, true, true]),
        ("Chat closed, user authorized", [false, true, true]),
        ("Chat closed, dialog ended by operator", [false, true, false]),
        ("Application in background", [false, false, false]),
        ("After logout() / deauthorizeUser()", [false, false, false]),
    ]

    @Test("the socket follows the table of the settings page", arguments: Way.allCases, Column.allCases)
    func cell(_ way: Way, _ column: Column) throws {
        let row = try #require(Self.table.first { $0.row == way.row })
        let isActive = row.cells[try #require(Column.allCases.firstIndex(of: column))]
        var chat = Chat(ChatSettings(providerUID: "p", local: column.local))
        way.go(&chat)
        #expect((chat.core.liveGeneration != nil) == isActive, "\(way.row), \(column.rawValue)")
        if isActive { #expect(chat.state == .ready) }
        // The state does not change later.
        chat.advance(milliseconds: 300_000)
        #expect((chat.core.liveGeneration != nil) == isActive)
        #expect(chat.openedSockets <= 3, "the socket is not opened repeatedly")
    }

    @Test func theTableMatchesTheDocuments() {
        #expect(Self.table.count == 5)
        #expect(Self.table.allSatisfy { $0.cells.count == Column.allCases.count })
        for row in Self.table { #expect(Way.allCases.contains { $0.row == row.row }, "\(row.row) has a way to it") }
    }

    // MARK: Opening

    @Test("the socket opens when the screen appears, not at authorize or getChat")
    func opensAtAppearance() {
        var chat = Chat()
        chat.authorize()
        #expect(chat.openedSockets == 0)
        chat.handle(.getChat(ScreenID(1)))
        #expect(chat.openedSockets == 0)
        chat.handle(.screenAppeared(ScreenID(1)))
        #expect(chat.openedSockets == 1)
    }

    @Test("keepSocketActive controls closing, not opening")
    func chatOpenedSinceAuthorize() {
        for column in [Column.keep, .session] {
            var chat = Chat(ChatSettings(providerUID: "p", local: column.local))
            chat.authorize()
            chat.advance(milliseconds: 60_000)
            chat.handle(.enteredBackground)
            chat.handle(.enteredForeground)
            chat.handle(.network(.pathChanged(hasRoute: true)))
            #expect(chat.openedSockets == 0, "no socket was open")
            chat.open()
            chat.push(Content(.threadOpened, threadID: 1, uuid: "t-1"))
            chat.close()
            #expect(chat.state == .ready)
            // The latch belongs to one user. The next user has not opened a chat.
            chat.handle(.logout(Ticket(1)))
            chat.authorize(UserIdentity(clientID: "bob"))
            #expect(chat.core.liveGeneration == nil)
        }
    }

    @Test("an ended dialog closes the socket when the chat is closed the next time")
    func dialogEndedSinceTheLastClose() {
        var chat = Chat(ChatSettings(providerUID: "p", local: Column.session.local))
        chat.authorize()
        chat.open()
        chat.push(Content(.threadOpened, threadID: 1, uuid: "t-1"))
        chat.close()
        chat.push(Self.endOfDialog)
        chat.advance(milliseconds: 600_000)
        #expect(chat.state == .ready, "not when the dialog ends")
        chat.open(2)
        #expect(chat.state == .ready)
        chat.close(2)
        #expect(chat.state == .closed(.chatClosed), "but at the next closeChat()")
    }

    @Test("a socket that was open before the background reopens, a closed one does not")
    func openBeforeBackground() {
        for column in Column.allCases {
            for isScreenOpen in [true, false] {
                var chat = Chat(ChatSettings(providerUID: "p", local: column.local))
                chat.authorize()
                chat.open()
                chat.push(Content(.threadOpened, threadID: 1, uuid: "t-1"))
                if !isScreenOpen { chat.close() }
                let wasLive = chat.core.liveGeneration != nil
                chat.handle(.enteredBackground)
                #expect(chat.core.liveGeneration == nil)
                chat.handle(.enteredForeground)
                #expect((chat.core.liveGeneration != nil) == wasLive, "\(column) \(isScreenOpen)")
            }
        }
    }

    // MARK: registerAtFirstStart

    @Test(
        "the pre-registration opens only without an address and closes when it is stored",
        arguments: Column.allCases)
    func preRegistration(_ column: Column) {
        var chat = Chat(ChatSettings(providerUID: "p", local: column.local))
        chat.server.configuration.settings?.registerAtFirstStart = true
        chat.authorize()
        #expect(chat.openedSockets == 1)
        #expect(chat.stores.of("ann").contents.deviceAddress == "device-of-ann")
        #expect(chat.server.infos.map(\.preRegister) == [true])
        #expect((chat.core.liveGeneration != nil) == (column == .keep), "it closes except with keepSocketActive")
        chat.restart(ChatSettings(providerUID: "p", local: column.local))
        chat.forgetEffects()
        chat.authorize()
        #expect(chat.openedSockets == 0, "with a stored address no socket opens")
        chat.handle(.deauthorize)
        chat.forgetEffects()
        chat.authorize()
        #expect(chat.openedSockets == 1, "deauthorizeUser() deletes the stored address")
    }

    @Test(
        "the first getChat ends the pre-registration in every state", arguments: Column.allCases)
    func preRegistrationEndsWithGetChat(_ column: Column) {
        for silence in [FakeServer.Silence.upgrade, .register] {
            var chat = Chat(ChatSettings(providerUID: "p", local: column.local))
            chat.server.configuration.settings?.registerAtFirstStart = true
            chat.server.silence = silence
            chat.authorize()
            #expect(chat.core.liveGeneration != nil)
            chat.handle(.getChat(ScreenID(1)))
            #expect((chat.core.liveGeneration != nil) == (column == .keep))
            chat.server.silence = []
            chat.handle(.screenAppeared(ScreenID(1)))
            if column != .keep { #expect(chat.state == .ready) }
        }
    }

    @Test func aFailedPreRegistrationIsRetriedAndEndsInTheBackground() {
        var chat = Chat()
        chat.server.configuration.settings?.registerAtFirstStart = true
        chat.server.silence = .register
        chat.authorize()
        chat.advance(milliseconds: 30_000)
        #expect(chat.notices.contains(.networkProblem(.socket(.handshakeTimeout(.registerDevice)))))
        chat.handle(.enteredBackground)
        #expect(chat.core.nextWake == nil)
        chat.server.silence = []
        chat.handle(.enteredForeground)
        #expect(chat.stores.of("ann").contents.deviceAddress == "device-of-ann")
        #expect(chat.state == .closed(.registered))
    }
}
