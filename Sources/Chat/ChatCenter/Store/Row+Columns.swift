import GRDB

extension Row {
    /// A number that is kept as one. SQLite takes any text for a number, which the file of somebody else may hold.
    func integer(_ column: String) throws -> Int64 {
        guard case .int64(let number) = try decode(DatabaseValue.self, forColumn: column).storage else {
            throw DamagedRow()
        }
        return number
    }
}
