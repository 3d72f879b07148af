/// The device's way to the network, as far as a monitor of the platform can tell.
package struct NetworkPath: Hashable, Sendable {
    /// Names the interfaces and addresses in use: another identity is another network. It is compared, never shown and
    /// never sent.
    package var identity: String
    /// There is a route to somewhere. A hint, never a reason not to try.
    package var hasRoute: Bool

    package init(identity: String, hasRoute: Bool) {
        self.identity = identity
        self.hasRoute = hasRoute
    }
}
