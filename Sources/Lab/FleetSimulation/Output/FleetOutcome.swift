/// The result of a run.
package struct FleetOutcome: Sendable {
    /// The parameters.
    package var setup: FleetSetup
    /// What happened in each second.
    package var record: FleetRecord
    /// The sums of the run.
    package var figures: FleetFigures
    /// The first complaint of each broken invariant.
    package var complaints: [FleetComplaint]
    /// The highest rate of each stream, and its comparison with the ideal.
    package var peaks: [FleetPeak]

    /// Whether every invariant held.
    package var isGood: Bool { complaints.isEmpty }
}

/// The highest rate of a stream.
package struct FleetPeak: Hashable, Sendable {
    package var stream: FleetRecord.Stream
    /// The window with the most requests.
    package var highest: HerdRule.Peak
    /// The window with the highest ratio to the ideal; `nil` if there were too few requests to compare.
    package var worst: HerdRule.Peak?
}

/// The sums of a run. All times are in seconds since the start.
package struct FleetFigures: Hashable, Sendable {
    /// The number of events.
    package var events = 0
    /// The most clients that were locked out at once, and when.
    package var mostLockedOut = 0
    package var mostLockedOutAt = 0
    /// The clients that were locked out at the end.
    package var lockedOutAtEnd = 0
    /// The times at which the desk showed an incident, halted the roll-out, and published the fix.
    package var noticedAt: Int?
    package var haltedAt: Int?
    package var fixedAt: Int?
    /// The clients that accepted the bundle with wrong pins.
    package var switchedToBad = 0
    /// The reports that the collector accepted, that it refused with 503, and that it did not answer.
    package var accepted = 0
    package var refused = 0
    package var unanswered = 0
    /// The reports that clients dropped.
    package var dropped = 0
    /// The reports that wait at the end.
    package var waitingAtEnd = 0
    /// The most reports that waited in one client.
    package var mostWaiting = 0
}
