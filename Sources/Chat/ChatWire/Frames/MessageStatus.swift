/// How far a message came, in this order.
package enum MessageStatus: String, Hashable, Sendable, Comparable, CaseIterable {
    case sent
    case delivered
    case read

    private var rank: Int {
        switch self {
        case .sent: 0
        case .delivered: 1
        case .read: 2
        }
    }

    package static func < (left: MessageStatus, right: MessageStatus) -> Bool { left.rank < right.rank }
}
