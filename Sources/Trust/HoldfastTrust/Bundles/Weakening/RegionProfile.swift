/// What one policy does with the hosts of one region, as a function of time.
enum RegionProfile: Hashable, Sendable {
    /// The same at every time.
    case constant(PolicyOutcome)
    /// Pins apply, as long as the profile says.
    case pinned(PinProfile)

    /// The instants at which the outcome may change.
    var ends: [Timestamp] {
        switch self {
        case .constant: []
        case .pinned(let profile): profile.ends
        }
    }

    /// The outcome at `time`.
    func outcome(at time: Timestamp) -> PolicyOutcome {
        switch self {
        case .constant(let outcome): outcome
        case .pinned(let profile): profile.outcome(at: time)
        }
    }
}
