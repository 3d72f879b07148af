import ChatWire

/// What the screen is about, apart from the messages.
struct StageState: Hashable, Sendable {
    /// The newest screen; older ones are deaf.
    var current: ScreenID?
    /// The one that is in front of the user.
    var visible: ScreenID?

    var scroll = ChatScreenScroll()
    /// Why the socket was lost; kept until there is one again.
    var lastDisconnect: DisconnectCause?

    /// Nothing of the user stays.
    mutating func forgetUser() {
        scroll.target = nil
        lastDisconnect = nil
    }
}
