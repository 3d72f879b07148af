import ChatCenterCore

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
            .searchAnswer, .fetched, .transferProgress, .transferred, .gapFilled, .historyReset:
            break
        }
    }
}
