import ChatCenterCore
import Synchronization

extension ChatDriver {
    /// Creates a screen and makes it the current one; `nil` if no user is authorized.
    func newScreen() -> ChatEngine.NewScreen? {
        engine.wait(otherwise: nil) { $0.newScreen() }
    }

    /// The state of a screen, if it is the current one.
    func screenState(of id: ScreenID) -> ChatScreenState? {
        engine.published.withLock { $0.currentScreen == id ? $0.screen : nil }
    }

    /// Tells the core that a screen is visible. New data of the user is sent with the next client information.
    func screenAppeared(_ id: ScreenID) {
        engine.post { engine in
            engine.passOnUserData()
            engine.turn(on: .screenAppeared(id))
            engine.finishTurns()
        }
    }

    /// Requests the unread count from the server.
    func askUnreadCount(
        _ completion: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) throws(ChatCenterUIError) {
        guard isAuthorized else { throw .userNotAuthorized }
        engine.post { [hub] engine in
            let ticket = engine.nextTicket()
            hub.expect(ticket, .unread(completion))
            engine.turn(on: .unreadCount(ticket))
            engine.finishTurns()
        }
    }
}

/// The latest published state of the core, for readers that do not listen to events.
struct ChatSnapshot: Sendable {
    /// The authorized user.
    var session: AuthorizedSession?
    var currentScreen: ScreenID?
    /// The state of the current screen.
    var screen: ChatScreenState?
    /// The files that the server accepts, once there is a core.
    var limits: ChatAttachmentLimits?
    var connection = ChatConnectionState.idle
    var unread = 0
    var configuration: EffectiveConfiguration?

    mutating func note(_ notice: SDKNotice) {
        switch notice {
        case .connection(let state): connection = state
        case .unread(let count): unread = count
        case .configuration(let configuration): self.configuration = configuration
        case .authorized, .networkProblem, .message, .received, .reauthorizationNeeded, .loggedOut, .unreadAnswer,
            .searchAnswer, .transferProgress, .transferred, .gapFilled, .historyReset:
            break
        }
    }
}
