/// The device's network path, as far as the platform's monitor reports it.
package struct NetworkPath: Hashable, Sendable {
    /// Identifies the interfaces and addresses in use. A different value means a different network. It is only
    /// compared, never shown or sent.
    package var identity: String
    /// Whether a route exists. This is a hint: attempts are made even if it is false.
    package var hasRoute: Bool

    package init(identity: String, hasRoute: Bool) {
        self.identity = identity
        self.hasRoute = hasRoute
    }
}
