/// The reason why a call of the SDK cannot be carried out now.
public enum ChatCenterUIError: Error {
    /// No user is authorized: `authorize` was not called or was refused, or the user has logged out.
    case userNotAuthorized
    /// The chat is not on the screen, or the notification is empty.
    case chatNotOpened
    /// The socket could not be opened. The error states the reason, including the verdict on a refused server.
    case webSocketError((any Error)?)
}

extension ChatCenterUIError: Equatable {
    /// Compares the kind of error. Two ``webSocketError(_:)`` are equal if their errors' descriptions are.
    public static func == (lhs: ChatCenterUIError, rhs: ChatCenterUIError) -> Bool {
        switch (lhs, rhs) {
        case (.userNotAuthorized, .userNotAuthorized), (.chatNotOpened, .chatNotOpened): true
        case (.webSocketError(let left), .webSocketError(let right)):
            left.map { String(describing: $0) } == right.map { String(describing: $0) }
        default: false
        }
    }
}
