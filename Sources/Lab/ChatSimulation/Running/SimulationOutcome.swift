/// What came of a run.
package struct SimulationOutcome: Hashable, Sendable {
    package var seed: UInt64
    /// Empty when every rule held; a run ends with the first one that did not.
    package var complaints: [Complaint]
    package var trace: TraceDigest
    package var figures: SimulationFigures
    /// The last lines of the trace, if they were asked for.
    package var lines: [String]
    /// Every turn of a client, if they were asked for.
    package var turns: [ClientTurn]

    package var isGood: Bool { complaints.isEmpty }
}
