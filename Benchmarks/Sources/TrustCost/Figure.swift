/// One measured line.
struct Figure: Encodable {
    /// The part of the table.
    var group: String
    /// What was done.
    var name: String
    /// Processor time of one, in nanoseconds: the median of the rounds.
    var nanoseconds: Double
    /// The fastest and the slowest round.
    var least: Double
    var most: Double
}
