/// Where a row stands: what a sealed record is bound to, so that it opens nowhere else.
struct RowPlace: Hashable, Sendable {
    /// The table.
    var table: String
    /// The names in its columns, as they are written there.
    var names: [String]
    /// The numbers in its columns.
    var numbers: [Int64] = []

    /// The same as bytes, each part with its length: no two places have the same ones.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        for part in [table] + names {
            let text = Array(part.utf8)
            append(UInt64(text.count), to: &bytes)
            bytes += text
        }
        append(UInt64(numbers.count), to: &bytes)
        for number in numbers { append(UInt64(bitPattern: number), to: &bytes) }
        return bytes
    }

    private func append(_ number: UInt64, to bytes: inout [UInt8]) {
        withUnsafeBytes(of: number.bigEndian) { bytes += $0 }
    }
}
