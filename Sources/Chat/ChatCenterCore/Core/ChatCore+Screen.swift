import ChatWire

// The screen and the application around it.
extension ChatCore {
    /// A new screen. It gets the text that waits for it; older ones are deaf from now on.
    mutating func getChat(_ screen: ScreenID, _ turn: inout CoreUpdate) {
        presence.begin(screen)
        composer.beginScreen()
        search.leaveScreen()
    }

    mutating func screenAppeared(_ screen: ScreenID, _ turn: inout CoreUpdate) {
        guard session.isAuthorized, presence.appeared(screen) else {
            turn.log(.info, "a screen that is not the newest one, or that nobody is authorised for, is deaf")
            return
        }
        if configuration.scrollToLatest.value { screenComposer.scrollToLatest(in: window) }
        // On a socket that is up already the server learns now that somebody looks, and what the user's data is.
        if socket.isReady, farewells.run == nil { transmitClientInfo(for: .courtesy, &turn) }
        requestMissingConfiguration(&turn)
        if !sync.hasHistory { wantGap() }
    }

    mutating func screenDisappeared(_ screen: ScreenID, _ turn: inout CoreUpdate) {
        guard presence.disappeared(screen, dialogHasEnded: dialog.phase == .ended) else { return }
        composer.screenDisappeared()
        window.shrink()
    }

    /// What the screen shows.
    private var sources: ScreenComposer.Sources {
        ScreenComposer.Sources(
            settings: settings, session: session, configurator: configurator, presence: presence, socket: socket,
            commits: commits, window: window, dialog: dialog, typing: typing, sync: sync, reading: reading,
            composer: composer, search: search, surveys: surveys, transfers: transfers)
    }

    /// The screen as it is published.
    package var screen: ChatScreenState { screenComposer.screen(sources) }

    /// Tells the connection's state and the screen's where they changed.
    mutating func publish(_ update: inout CoreUpdate) { perform(screenComposer.settle(sources), &update) }
}
