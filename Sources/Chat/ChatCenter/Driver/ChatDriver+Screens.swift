import ChatCenterCore
import Synchronization

extension ChatDriver {
    /// What was told last.
    var snapshot: ChatSnapshot { state.withLock { $0.snapshot } }

    /// Makes a screen the current one; `nil` if nobody is authorised.
    func newScreen() -> (ScreenID, Broadcast<ChatScreenState>, ChatScreenState)? {
        var past: Broadcast<ChatScreenState>?
        let made = state.withLock { state -> (ScreenID, Broadcast<ChatScreenState>, ChatScreenState)? in
            guard state.session != nil else { return nil }
            state.lastNumber += 1
            let id = ScreenID(state.lastNumber)
            state.currentScreen = id
            let begun = hub.begin(id)
            past = begun.past
            run(.getChat(id), &state)
            // The first turn of a core tells the screen's state.
            guard let screen = state.snapshot.screen else { return nil }
            return (id, begun.states, screen)
        }
        past?.finish()
        drain()
        return made
    }

    /// The state of a screen, if it is the current one.
    func screenState(of id: ScreenID) -> ChatScreenState? {
        state.withLock { $0.currentScreen == id ? $0.snapshot.screen : nil }
    }

    /// The screen is in front of the user. New data of the user goes with the client information that follows.
    func screenAppeared(_ id: ScreenID) {
        state.withLock { state in
            passOnUserData(&state)
            run(.screenAppeared(id), &state)
        }
        drain()
    }

    /// Asks the server for the unread count.
    func askUnreadCount(
        _ completion: @escaping @Sendable (Result<Int, any Error>) -> Void
    ) throws(ChatCenterUIError) {
        let isAuthorized = state.withLock { state in
            guard state.session != nil else { return false }
            let ticket = nextTicket(&state)
            hub.expect(ticket, .unread(completion))
            run(.unreadCount(ticket), &state)
            return true
        }
        drain()
        guard isAuthorized else { throw .userNotAuthorized }
    }
}

/// What the core told last: for those who ask instead of listening.
struct ChatSnapshot: Sendable {
    var screen: ChatScreenState?
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
