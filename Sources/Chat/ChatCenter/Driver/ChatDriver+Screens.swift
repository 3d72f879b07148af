import ChatCenterCore
import Synchronization

extension ChatDriver {
    /// Makes a screen the current one; `nil` if nobody is authorised.
    func newScreen() -> ChatEngine.NewScreen? {
        engine.wait(otherwise: nil) { $0.newScreen() }
    }

    /// The state of a screen, if it is the current one.
    func screenState(of id: ScreenID) -> ChatScreenState? {
        engine.published.withLock { $0.currentScreen == id ? $0.screen : nil }
    }

    /// The screen is in front of the user. New data of the user goes with the client information that follows.
    func screenAppeared(_ id: ScreenID) {
        engine.post { engine in
            engine.passOnUserData()
            engine.turn(on: .screenAppeared(id))
            engine.finishTurns()
        }
    }

    /// Asks the server for the unread count.
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

/// What the core told last: for those who ask instead of listening.
struct ChatSnapshot: Sendable {
    /// Who is authorised.
    var session: AuthorizedSession?
    var currentScreen: ScreenID?
    /// The current screen's.
    var screen: ChatScreenState?
    /// What the server takes as a file, once there is a core.
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
