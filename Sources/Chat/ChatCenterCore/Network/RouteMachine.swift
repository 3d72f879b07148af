/// A state machine that decides what a change of the network path means for the socket and for pending work.
///
/// A socket cannot move to another network. When the network changes, the socket is replaced at once, and the delivery
/// of pending messages is checked in the history. There is never more than one socket, so the old one is not kept in
/// parallel. When the same network gets a route again, the socket may have survived and is probed.
struct RouteMachine: Hashable, Sendable {
    /// The last path that the platform reported.
    private var path: NetworkPath?
    /// The identity of the last network with a route.
    private var routedIdentity: String?
    /// Whether a route exists. This is a hint: connections are attempted even if it is false.
    private(set) var hasRoute = true

    /// Handles a new network path from the platform.
    mutating func changed(to next: NetworkPath) -> [CoreAction] {
        let past = path
        guard next != past else { return [] }
        path = next
        hasRoute = next.hasRoute
        guard next.hasRoute else { return [.log(.info, "no route to the network is known")] }
        let known = routedIdentity
        routedIdentity = next.identity
        switch known {
        case next.identity:
            return [
                .log(.info, "there is a route again, on the same network"), .doubtSocket(hasRoute: true), .tryAgain,
            ]
        case .some: return [.log(.info, "the device is on another network"), .replaceSocket, .tryAgain]
        // This is the first network. Before it, the device may have had none.
        case nil: return past == nil ? [] : [.doubtSocket(hasRoute: true), .tryAgain]
        }
    }

    /// Handles a network change for which the platform only reports whether a route exists.
    mutating func changed(hasRoute: Bool) -> [CoreAction] {
        self.hasRoute = hasRoute
        return [
            .log(.info, "the network changed, \(hasRoute ? "there is a route" : "no route is known")"),
            .doubtSocket(hasRoute: hasRoute),
        ] + (hasRoute ? [.tryAgain] : [])
    }
}

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
