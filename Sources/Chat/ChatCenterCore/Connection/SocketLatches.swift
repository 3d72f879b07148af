/// What must be remembered to know whether the socket stays: the conditions of the moment do not tell.
package struct SocketLatches: Hashable, Sendable {
    /// `getChat` was called since the user was authorised: the pre-registration ends at the latest now.
    package var chatRequested = false
    /// The chat screen was open since the user was authorised.
    package var chatOpened = false
    /// The dialog was over when the screen was closed last. A dialog that ends later closes the socket at the *next*
    /// closing of the screen.
    package var dialogEndedAtClose = false
    /// The socket was wanted when the application was in the foreground last: settings that keep a socket keep an open
    /// one, they open none.
    package var wasOpen = false

    package init() {}
}
