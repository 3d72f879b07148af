import ChatWire
import Testing

@testable import ChatCenterCore

/// Tests the screen composer: what is published, and when.
@Suite struct ScreenComposerTests {
    static let rules = SocketRules(connectionTimeout: 1000, pingInterval: 1000, pingRetries: 1, retryInterval: 1000)
    let now = Moment(monotonic: 0, wall: 0)

    func sources(_ change: (inout ScreenComposer.Sources) -> Void = { _ in }) -> ScreenComposer.Sources {
        let settings = ChatSettings(providerUID: "p")
        var sources = ScreenComposer.Sources(
            settings: settings, session: SessionMachine(hasTokenProvider: false),
            configurator: ConfigurationMachine(settings), presence: PresenceMachine(), socket: SocketSupervisor(),
            commits: CommitLedger(), window: MessageWindow(), dialog: DialogMachine(), typing: TypingIndicator(),
            sync: SyncMachine(pageSize: 30), reading: ReadMarkMachine(pollInterval: 0), composer: Composer(),
            search: SearchMachine(), context: ContextMachine(),
            surveys: SurveyMachine(apiVersion: settings.apiVersion),
            transfers: TransferMachine(uploadTimeout: 1000))
        change(&sources)
        return sources
    }

    func message(_ text: String) -> StoredMessage {
        StoredMessage(
            id: MessageID("m"), content: Content(.message, uuid: "m", text: text),
            position: MessagePosition(time: 1, sequence: 1), state: .received(.unread))
    }

    @Test func aStateIsPublishedOnce() {
        var composer = ScreenComposer()
        let empty = sources()
        #expect(composer.settle(empty) == [.effect(.publish(composer.screen(empty)))])
        #expect(composer.settle(empty).isEmpty)
        let held = sources { $0.window.save(message("a")) }
        #expect(composer.settle(held) == [.effect(.publish(composer.screen(held)))])
        #expect(composer.settle(held).isEmpty)
        let changed = sources {
            $0.window = held.window
            $0.window.save(message("b"))
        }
        #expect(composer.settle(changed).count == 1, "only the rows changed")
        composer.publishAgain()
        #expect(composer.settle(changed).count == 1, "the last state may not have been delivered")
    }

    @Test func theConnectionIsReportedBeforeTheScreen() {
        var composer = ScreenComposer()
        _ = composer.settle(sources())
        let opening = sources { _ = $0.socket.settle(.open, at: now, Self.rules) }
        let actions = composer.settle(opening)
        #expect(actions == [.notify(.connection(.connecting)), .effect(.publish(composer.screen(opening)))])
        #expect(composer.screen(opening).title == .opened, "the screen is not visible")
        let watched = sources {
            $0.presence.begin(ScreenID(1))
            _ = $0.presence.appeared(ScreenID(1))
        }
        #expect(composer.screen(watched).title == .connecting)
    }

    @Test func aLostSocketIsShownUntilTheNextOneIsReady() {
        var composer = ScreenComposer()
        composer.noteSocket(.linkDead)
        #expect(composer.screen(sources()).banners.isEmpty, "no socket is needed")
        let opening = sources { _ = $0.socket.settle(.open, at: now, Self.rules) }
        #expect(composer.screen(opening).banners == [.connectionLost(.linkDead)])
        composer.noteSocket(nil)
        #expect(composer.screen(opening).banners.isEmpty)
        composer.noteSocket(.linkDead)
        composer.forgetUser()
        #expect(composer.screen(opening).banners.isEmpty)
    }

    @Test func theScreenScrollsToTheNewestMessage() {
        var composer = ScreenComposer()
        composer.scroll(to: nil)
        #expect(composer.screen(sources()).scroll == ChatScreenScroll())
        let held = sources { $0.window.save(message("a")) }
        composer.scroll(to: held.window.messages.last?.id)
        composer.scroll(to: held.window.messages.last?.id)
        let scroll = composer.screen(held).scroll
        #expect(scroll.target == MessageID("m"))
        #expect(scroll.number == 2)
    }
}
