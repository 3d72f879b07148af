/// The conditions that decide whether the chat needs a socket, and the decision. It implements the table of the
/// settings page.
package struct SocketConditions: Hashable, Sendable {
    package var authorised: Bool
    package var foreground: Bool
    package var chatOpen: Bool
    package var keepSocketActive: Bool
    package var keepSocketActiveDuringOperatorSession: Bool
    package var registerAtFirstStart: Bool
    package var hasDeviceAddress: Bool
    package var latches: SocketLatches

    /// The decision. A logout and the background close the socket, whatever the settings are. An open chat opens it.
    /// Without an open chat, the settings decide whether an open socket stays open.
    package var wish: SocketWish {
        guard authorised else { return .closed(.loggedOut) }
        guard foreground else { return .closed(.background) }
        if chatOpen { return .open }
        if registerAtFirstStart, !hasDeviceAddress, !latches.chatRequested { return .preRegistration }
        if latches.wasOpen {
            if keepSocketActive { return .open }
            if keepSocketActiveDuringOperatorSession, latches.chatOpened, !latches.dialogEndedAtClose { return .open }
        }
        return .closed(latches.chatOpened ? .chatClosed : .registered)
    }
}

/// Past events that decide whether the socket stays open, in addition to the current conditions.
package struct SocketLatches: Hashable, Sendable {
    /// Whether `getChat` was called since the user was authorized. The first call ends the pre-registration.
    package var chatRequested = false
    /// Whether the chat screen was open since the user was authorized.
    package var chatOpened = false
    /// Whether the dialog had ended when the screen was last closed. If a dialog ends later, the socket closes when
    /// the screen is closed the *next* time.
    package var dialogEndedAtClose = false
    /// Whether the socket was needed when the application was last in the foreground. The settings that keep a socket
    /// open apply to an open socket only.
    package var wasOpen = false

    package init() {}
}

/// Whether the chat needs a socket, and for what.
package enum SocketWish: Hashable, Sendable {
    case closed(CloseReason)
    case open
    /// A socket is needed only to get a device address; the chat has not been opened yet.
    case preRegistration

    /// Whether a socket is needed.
    var isOpen: Bool {
        if case .closed = self { false } else { true }
    }
}
