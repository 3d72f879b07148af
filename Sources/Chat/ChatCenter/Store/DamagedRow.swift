/// A row that does not hold what this program writes.
struct DamagedRow: Error {}
