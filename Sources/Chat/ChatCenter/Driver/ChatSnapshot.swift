import ChatCenterCore

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
