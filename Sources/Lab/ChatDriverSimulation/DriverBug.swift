package import ChatSimulation

/// A mistake made on purpose where a driver meets the world around it: the test of the simulation.
package enum DriverBug: String, Hashable, Sendable, CaseIterable {
    /// A commit that takes a message returns without having written anything.
    case lostCommit
    /// A notice of new messages is carried out twice.
    case doubleDelivery
    /// `send` returns before its commit.
    case earlyAcknowledgement
    /// Two locks are taken in both orders.
    case lockOrder

    /// The rules that it breaks: another complaint is no proof that it was found.
    package var rules: [Rule] {
        switch self {
        case .lostCommit: [.nothingLost]
        case .doubleDelivery: [.nothingTwice]
        case .earlyAcknowledgement: [.oneAnswer, .nothingLost]
        case .lockOrder: [.rest]
        }
    }

    /// What is wrong, in a few words.
    package var summary: String {
        switch self {
        case .lostCommit: "a commit returns without having written anything"
        case .doubleDelivery: "new messages are told twice"
        case .earlyAcknowledgement: "send returns before its commit"
        case .lockOrder: "two locks are taken in both orders"
        }
    }
}
