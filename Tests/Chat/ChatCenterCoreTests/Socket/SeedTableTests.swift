import ChatCenterCore
import ChatWire
import Testing

/// `seeds/002`, "Behavior depending on settings": the page's own table, a test for each cell, in each of the ways that
/// lead to its row. Beside it RULINGS C5 with its three latches, and `registerAtFirstStart`.
@Suite struct SeedTableTests {
    /// The columns of the page.
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

    /// The rows of the page, and the ways to them.
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
                // Where the socket was closed meanwhile, the news comes now.
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

    /// The page. True is "WebSocket active".
    static let table: [(row: String, cells: [Bool])] = [
        ("Chat open", [true, true, true]),
        ("Chat closed, user authorized", [false, true, true]),
        ("Chat closed, dialog ended by operator", [false, true, false]),
        ("Application in background", [false, false, false]),
        ("After logout() / deauthorizeUser()", [false, false, false]),
    ]

    @Test("rules 2.13, 2.14, 2.15: the table of the settings page", arguments: Way.allCases, Column.allCases)
    func cell(_ way: Way, _ column: Column) throws {
        let row = try #require(Self.table.first { $0.row == way.row })
        let isActive = row.cells[try #require(Column.allCases.firstIndex(of: column))]
        var chat = Chat(ChatSettings(providerUID: "p", local: column.local))
        way.go(&chat)
        #expect((chat.core.liveGeneration != nil) == isActive, "\(way.row), \(column.rawValue)")
        if isActive { #expect(chat.state == .ready) }
        // It stays so by itself.
        chat.advance(milliseconds: 300_000)
        #expect((chat.core.liveGeneration != nil) == isActive)
        #expect(chat.openedSockets <= 3, "and is not opened again and again")
    }

    @Test func theTableIsThePages() {
        #expect(Self.table.count == 5)
        #expect(Self.table.allSatisfy { $0.cells.count == Column.allCases.count })
        for row in Self.table { #expect(Way.allCases.contains { $0.row == row.row }, "\(row.row) has a way to it") }
    }

    // MARK: Opening

    @Test("rule 2.10: the socket opens when the screen appears, not at authorize or getChat")
    func opensAtAppearance() {
        var chat = Chat()
        chat.authorize()
        #expect(chat.openedSockets == 0)
        chat.handle(.getChat(ScreenID(1)))
        #expect(chat.openedSockets == 0)
        chat.handle(.screenAppeared(ScreenID(1)))
        #expect(chat.openedSockets == 1)
    }

    @Test("rule 2.11, RULINGS C5, first latch: keepSocketActive controls closing, not opening")
    func chatOpenedSinceAuthorize() {
        for column in [Column.keep, .session] {
            var chat = Chat(ChatSettings(providerUID: "p", local: column.local))
            chat.authorize()
            chat.advance(milliseconds: 60_000)
            chat.handle(.enteredBackground)
            chat.handle(.enteredForeground)
            chat.handle(.network(.pathChanged(hasRoute: true)))
            #expect(chat.openedSockets == 0, "nothing was open that could be kept")
            chat.open()
            chat.push(Content(.threadOpened, threadID: 1, uuid: "t-1"))
            chat.close()
            #expect(chat.state == .ready)
            // The latch is of one user: the next one has not opened a chat.
            chat.handle(.logout(Ticket(1)))
            chat.authorize(UserIdentity(clientID: "bob"))
            #expect(chat.core.liveGeneration == nil)
        }
    }

    @Test("rule 2.14, RULINGS C5, second latch: an ended dialog closes at the next closing of the chat")
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

    @Test("RULINGS C5, third latch: what was open before the background comes back, what was closed does not")
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
        "rule 2.12, RULINGS C5: the pre-registration opens without an address only, and closes when it is stored",
        arguments: Column.allCases)
    func preRegistration(_ column: Column) {
        var chat = Chat(ChatSettings(providerUID: "p", local: column.local))
        chat.server.configuration.settings?.registerAtFirstStart = true
        chat.authorize()
        #expect(chat.openedSockets == 1)
        #expect(chat.stores.of("ann").contents.deviceAddress == "device-of-ann")
        #expect(chat.server.infos.map(\.preRegister) == [true])
        #expect((chat.core.liveGeneration != nil) == (column == .keep), "except with keepSocketActive")
        chat.restart(ChatSettings(providerUID: "p", local: column.local))
        chat.forgetEffects()
        chat.authorize()
        #expect(chat.openedSockets == 0, "with a saved address nothing opens")
        chat.handle(.deauthorize)
        chat.forgetEffects()
        chat.authorize()
        #expect(chat.openedSockets == 1, "after deauthorizeUser() nothing is saved any more")
    }

    @Test(
        "rule 2.12: the first getChat closes it at the latest, whatever it was waiting for", arguments: Column.allCases)
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

    @Test func aPreRegistrationThatFailsIsTriedAgainAndEndsInTheBackground() {
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
