/// The way to the network as a state machine: what a change of it means for the socket and for whatever waits.
///
/// A socket does not move from one network to another: on another one it is replaced at once, and what was on its way is
/// looked up. (A second socket beside the first would be kinder and is not allowed: there is never more than one.) Where the
/// route came back, the socket may have survived, and is asked.
struct RouteMachine: Hashable, Sendable {
    /// What the platform said last about the way there.
    private var path: NetworkPath?
    /// The network that had a route last.
    private var routedIdentity: String?
    /// A hint, never a reason not to connect.
    private(set) var hasRoute = true

    /// The platform says that the way to the network is another one.
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
        // The first network that is seen. Before it there may have been none.
        case nil: return past == nil ? [] : [.doubtSocket(hasRoute: true), .tryAgain]
        }
    }

    /// The platform says that the network changed, and no more than whether there is a route.
    mutating func changed(hasRoute: Bool) -> [CoreAction] {
        self.hasRoute = hasRoute
        return [
            .log(.info, "the network changed, \(hasRoute ? "there is a route" : "no route is known")"),
            .doubtSocket(hasRoute: hasRoute),
        ] + (hasRoute ? [.tryAgain] : [])
    }
}
