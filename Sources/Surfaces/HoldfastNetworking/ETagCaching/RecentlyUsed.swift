/// A dictionary that evicts the least recently used values. Every operation takes constant time.
struct RecentlyUsed<Value> {
    private struct Node {
        var value: Value
        var cost: Int
        /// The keys that were used directly before and after this one.
        var older: String?
        var newer: String?
    }

    private let maximumCount: Int
    private let maximumCost: Int
    private var nodes: [String: Node] = [:]
    private var oldest: String?
    private var newest: String?
    /// The total cost of all values.
    private(set) var cost = 0

    /// The number of values.
    var count: Int { nodes.count }

    /// Makes an empty collection. Values beyond either limit are evicted; a negative limit allows none.
    init(maximumCount: Int, maximumCost: Int) {
        self.maximumCount = maximumCount
        self.maximumCost = maximumCost
    }

    /// Returns the value and marks it as the most recently used one.
    mutating func value(for key: String) -> Value? {
        guard let node = unlink(key) else { return nil }
        link(key, node.value, node.cost)
        return node.value
    }

    /// Stores a value, unless it costs more than the limit. Always removes the previous value of the key.
    mutating func insert(_ value: Value, cost: Int, for key: String) {
        _ = unlink(key)
        guard cost >= 0, cost <= maximumCost, maximumCount > 0 else { return }
        while count >= maximumCount || self.cost > maximumCost - cost, let oldest { _ = unlink(oldest) }
        link(key, value, cost)
    }

    /// Removes a value.
    mutating func remove(_ key: String) {
        _ = unlink(key)
    }

    /// Removes all values.
    mutating func removeAll() {
        nodes = [:]
        (oldest, newest, cost) = (nil, nil, 0)
    }

    private mutating func link(_ key: String, _ value: Value, _ cost: Int) {
        nodes[key] = Node(value: value, cost: cost, older: newest, newer: nil)
        if let newest { nodes[newest]?.newer = key }
        newest = key
        if oldest == nil { oldest = key }
        self.cost += cost
    }

    private mutating func unlink(_ key: String) -> Node? {
        guard let node = nodes.removeValue(forKey: key) else { return nil }
        if let older = node.older { nodes[older]?.newer = node.newer } else { oldest = node.newer }
        if let newer = node.newer { nodes[newer]?.older = node.older } else { newest = node.older }
        cost -= node.cost
        return node
    }
}
