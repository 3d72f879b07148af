/// The events of all clients: one list for each second of the run.
///
/// An event that was replaced by another remains in its list. The world ignores it, because the client has another time
/// for this kind of event.
struct EventWheel: Sendable {
    private var heads: [UInt32]
    /// The client and the kind of each node, and the next node.
    private var payloads: [UInt32] = []
    private var links: [UInt32] = []
    private var free = NodePool.none

    /// Creates a wheel for this number of seconds.
    init(seconds: Int, clients: Int) {
        heads = Array(repeating: NodePool.none, count: seconds)
        payloads.reserveCapacity(3 * clients)
        links.reserveCapacity(3 * clients)
    }

    /// Adds an event. Ignores events after the end of the run.
    mutating func add(_ kind: FleetEventKind, _ client: Int, at second: Int) {
        guard second < heads.count else { return }
        let payload = UInt32(client) << 2 | kind.rawValue
        let node: UInt32
        if free == NodePool.none {
            node = UInt32(payloads.count)
            payloads.append(payload)
            links.append(heads[second])
        } else {
            node = free
            free = links[Int(node)]
            payloads[Int(node)] = payload
            links[Int(node)] = heads[second]
        }
        heads[second] = node
    }

    /// Removes and returns an event of this second: the one that was added last.
    mutating func take(at second: Int) -> (client: Int, kind: FleetEventKind)? {
        let node = heads[second]
        guard node != NodePool.none else { return nil }
        heads[second] = links[Int(node)]
        links[Int(node)] = free
        free = node
        let payload = payloads[Int(node)]
        return FleetEventKind(rawValue: payload & 3).map { (Int(payload >> 2), $0) }
    }
}
