/// How much happened in a run, or in several: a run in which nothing goes wrong proves nothing.
package struct SimulationFigures: Hashable, Sendable {
    package var seeds = 0
    /// Events that the cores handled.
    package var events = 0
    /// How often each kind of fault struck, in the order of `Fault.Kind`.
    package private(set) var faults = [Int](repeating: 0, count: Fault.Kind.allCases.count)
    /// Messages that `send` acknowledged, that reached the server, and that failed.
    package var sent = 0
    package var arrived = 0
    package var failed = 0
    /// Messages of operators.
    package var received = 0
    package var sockets = 0
    package var restarts = 0
    var serverCalls: UInt64 = 0

    package init() {}

    mutating func count(_ kind: Fault.Kind) {
        if let index = Fault.Kind.allCases.firstIndex(of: kind) { faults[index] += 1 }
    }

    package func count(of kind: Fault.Kind) -> Int {
        Fault.Kind.allCases.firstIndex(of: kind).map { faults[$0] } ?? 0
    }

    package static func += (left: inout SimulationFigures, right: SimulationFigures) {
        left.seeds += right.seeds
        left.events += right.events
        for index in left.faults.indices { left.faults[index] += right.faults[index] }
        left.sent += right.sent
        left.arrived += right.arrived
        left.failed += right.failed
        left.received += right.received
        left.sockets += right.sockets
        left.restarts += right.restarts
    }
}
