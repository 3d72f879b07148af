/// How many matches a verified path needs, and where. Which keys are pinned is not part of it.
enum PinDemand: Hashable, Sendable {
    /// One match for each of `count` scopes. One of them has to be on the server's own certificate if `onLeaf`, one of them
    /// above it if `above`.
    case matches(_ count: Int, onLeaf: Bool, above: Bool)
    /// A match in a scope without pins: no path can pass.
    case impossible

    /// What this demand lacks of an older one, for a message; `nil` if it asks for as much.
    ///
    /// An older demand that no path could meet asks nothing of its successor: any pins may take its place.
    func loss(since old: PinDemand) -> String? {
        guard case .matches(let count, let onLeaf, let above) = self,
            case .matches(let oldCount, let oldOnLeaf, let oldAbove) = old
        else { return nil }
        if oldOnLeaf, !onLeaf { return "a match on the server's own certificate" }
        if oldAbove, !above { return "a match above the server's own certificate" }
        return count < oldCount ? "\(oldCount) matches" : nil
    }
}
