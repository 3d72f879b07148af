/// The decisions of ledgers and the waiting reports of all clients, as linked lists in one array.
struct NodePool: Sendable {
    /// The end of a list.
    static let none: UInt32 = .max

    /// A decision or a waiting report.
    struct Node: Sendable {
        /// The time of the decision, or of the report's creation, in the client's clock.
        var time: Int32 = 0
        /// The earliest time for the next attempt.
        var due: Int32 = 0
        var next = NodePool.none
        /// The number of the report within its client.
        var number: UInt16 = 0
        var tries: UInt16 = 0
        var attempts: UInt16 = 0
        /// The failed policy and the key that the servers presented.
        var subject: UInt8 = 0
        var wasSent = false
    }

    private var nodes: [Node] = []
    private var free = none

    /// Adds a node at the beginning of a list, and returns the new beginning.
    mutating func push(_ node: Node, before next: UInt32) -> UInt32 {
        var node = node
        node.next = next
        guard free != Self.none else {
            nodes.append(node)
            return UInt32(nodes.count - 1)
        }
        let index = free
        free = nodes[Int(index)].next
        nodes[Int(index)] = node
        return index
    }

    /// Removes a list.
    mutating func release(_ head: UInt32) {
        guard head != Self.none else { return }
        var last = head
        while nodes[Int(last)].next != Self.none { last = nodes[Int(last)].next }
        nodes[Int(last)].next = free
        free = head
    }

    /// Returns the nodes of a list.
    func list(_ head: UInt32) -> [Node] {
        guard head != Self.none else { return [] }
        var list: [Node] = []
        var index = head
        while index != Self.none {
            list.append(nodes[Int(index)])
            index = nodes[Int(index)].next
        }
        return list
    }

    /// Replaces a list, and returns the new beginning.
    mutating func replace(_ head: UInt32, with list: [Node]) -> UInt32 {
        release(head)
        return list.reversed().reduce(Self.none) { push($1, before: $0) }
    }
}
