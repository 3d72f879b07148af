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
