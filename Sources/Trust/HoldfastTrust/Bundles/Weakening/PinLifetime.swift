/// Until when a property of a policy holds for a host.
enum PinLifetime: Hashable, Comparable, Sendable {
    /// No rule has the property.
    case absent
    /// The property holds before this instant.
    case until(Timestamp)
    /// The property holds for good.
    case unlimited

    /// The lifetime of a rule.
    init(of rule: PinningRule) {
        self = rule.expires.map { .until($0) } ?? .unlimited
    }

    /// Whether the property holds at `time`.
    func includes(_ time: Timestamp) -> Bool {
        switch self {
        case .absent: false
        case .until(let end): time < end
        case .unlimited: true
        }
    }
}
