/// The collector's database, as the benchmark reads and fills it. Calls block the calling thread.
protocol FleetDatabase {
    /// The value of `--database`.
    var address: String { get }

    /// Runs statements that return nothing.
    func execute(_ sql: String) throws

    /// Returns the first two columns of each row: a text and a whole number.
    func pairs(_ sql: String) throws -> [(text: String, number: Int64)]

    /// Returns the size of the database on the disk in bytes, without logs that a checkpoint removes.
    func size() throws -> Int64
}

extension FleetDatabase {
    /// Returns a whole number.
    func number(_ sql: String) throws -> Int64 {
        guard let first = try pairs("SELECT '', (\(sql))").first else { throw BenchFailure("no result: \(sql)") }
        return first.number
    }
}
