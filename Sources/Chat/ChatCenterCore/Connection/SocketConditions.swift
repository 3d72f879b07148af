/// Everything that decides whether there ought to be a socket, and the decision: the table of the settings page.
package struct SocketConditions: Hashable, Sendable {
    package var authorised: Bool
    package var foreground: Bool
    package var chatOpen: Bool
    package var keepSocketActive: Bool
    package var keepSocketActiveDuringOperatorSession: Bool
    package var registerAtFirstStart: Bool
    package var hasDeviceAddress: Bool
    package var latches: SocketLatches

    /// The decision. Logout and background close whatever the settings say; an open chat opens; without one the
    /// settings decide whether an open socket stays.
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
