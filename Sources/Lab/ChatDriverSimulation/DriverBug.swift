package import ChatSimulation

/// A deliberate bug at the interface of the driver, which the simulation must find.
package enum DriverBug: String, Hashable, Sendable, CaseIterable {
    /// A commit that stores a message returns without writing anything.
    case lostCommit
    /// A notice of new messages is reported twice.
    case doubleDelivery
    /// `send` returns before its commit.
    case earlyAcknowledgement
    /// Two locks are taken in both orders.
    case lockOrder

    /// The rules that the bug breaks. A complaint of another rule does not count as finding it.
    package var rules: [Rule] {
        switch self {
        case .lostCommit: [.nothingLost]
        case .doubleDelivery: [.nothingTwice]
        case .earlyAcknowledgement: [.oneAnswer, .nothingLost]
        case .lockOrder: [.rest]
        }
    }

    /// A short description of the bug.
    package var summary: String {
        switch self {
        case .lostCommit: "a commit returns without writing anything"
        case .doubleDelivery: "new messages are reported twice"
        case .earlyAcknowledgement: "send returns before its commit"
        case .lockOrder: "two locks are taken in both orders"
        }
    }
}
