import HoldfastTrust

/// The part of a fetch round that follows the bundle: the timestamp, then the halt, then the switch. A value type that
/// does no I/O.
///
/// A pending bundle is put in force only in a round in which the server confirmed it, and only after the server
/// answered whether a halt exists. An operator can therefore withdraw a pending bundle by replacing the file.
struct RolloutRound: Hashable, Sendable {
    /// What to do next.
    enum Step: Hashable, Sendable {
        case fetchTimestamp, fetchHalt, advance, done
    }

    private var asksForTimestamp: Bool
    private var asksForHalt: Bool
    private var mayAdvance: Bool

    /// Begins after the request for the bundle. `isConfirmed` says whether the server has the pending bundle.
    init(isConfirmed: Bool, settings: RolloutSettings) {
        asksForTimestamp = !settings.timestampKeys.isEmpty
        asksForHalt = isConfirmed && !settings.haltKeys.isEmpty
        mayAdvance = isConfirmed
    }

    /// Returns the next step. `decision` is the current decision about the pending bundle.
    mutating func next(_ decision: RolloutDecision) -> Step {
        if asksForTimestamp {
            asksForTimestamp = false
            return .fetchTimestamp
        }
        if asksForHalt {
            asksForHalt = false
            // Without a need to know, the request would only add load. A newer halt may also end the one in force.
            switch decision {
            case .due, .halted, .haltMissing: return .fetchHalt
            case .none, .waiting: break
            }
        }
        if mayAdvance, decision == .due {
            mayAdvance = false
            return .advance
        }
        return .done
    }

    /// Records that it is unknown whether a halt exists. The pending bundle waits for another round.
    mutating func haltIsUnknown() { mayAdvance = false }

    /// Returns whether the switch may go on after this refusal of a halt. An old halt that is still on the server has
    /// no effect. Any other refusal may hide a valid halt.
    static func isHarmless(_ error: BundleError) -> Bool {
        error.code == .haltExpired || error.code == .haltReplayed
    }

    /// Returns whether this failure means that the file does not exist.
    static func isAbsent(_ error: BundleFetchError) -> Bool {
        error.code == .status && (error.status == 404 || error.status == 410)
    }
}
