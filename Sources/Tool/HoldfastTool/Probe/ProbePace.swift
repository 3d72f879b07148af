/// How long a watch waits between two rounds.
struct ProbePace: Sendable {
    /// The time between two rounds, before the jitter.
    var interval: Duration
    /// Between 0 and 1, evenly: what shifts a round, so that many watches do not come at once.
    var chance: @Sendable () -> Double = { Double.random(in: 0..<1) }

    /// The next wait: nine to eleven tenths of the interval.
    func next() -> Duration {
        let shift = min(max(chance(), 0), 1)
        return interval * (0.9 + 0.2 * (shift.isNaN ? 0.5 : shift))
    }
}
