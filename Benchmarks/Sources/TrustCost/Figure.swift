/// One line of the results.
struct Figure: Encodable {
    /// The section of the table.
    var group: String
    /// The measured operation.
    var name: String
    /// The processor time of one operation in nanoseconds: the median of the rounds.
    var nanoseconds: Double
    /// The fastest and the slowest round, in nanoseconds.
    var least: Double
    var most: Double
}
