import BenchSupport

/// The memory of an idle connection, in KiB.
struct IdleFigure: Codable {
    var contestant: IdleContestant
    var role: Scenario.Role
    var isSecure: Bool
    var connections: Int
    var resident: Double
    var heap: Double

    init(
        _ contestant: IdleContestant, _ role: Scenario.Role, isSecure: Bool, connections: Int, before: Memory,
        after: Memory
    ) {
        self.contestant = contestant
        self.role = role
        self.isSecure = isSecure
        self.connections = connections
        self.resident = (after.resident - before.resident) / Double(connections)
        self.heap = (after.heap - before.heap) / Double(connections)
    }
}
