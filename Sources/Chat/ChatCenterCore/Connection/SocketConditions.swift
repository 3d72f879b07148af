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
