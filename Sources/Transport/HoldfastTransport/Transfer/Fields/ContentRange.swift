/// The value of `Content-Range` (RFC 9110, 14.4): the range of a `206` response and the total length.
struct ContentRange: Hashable, Sendable {
    /// The range; `nil` in a `416` response, which contains only the total length.
    var bytes: ClosedRange<Int64>?
    /// The total length, if the server sent it.
    var total: Int64?

    /// Parses a value. Malformed are numbers beyond 63 bits, a range that ends before its start or beyond the total
    /// length, and any unit other than bytes.
    init(parsing value: String) throws(TransferError) {
        guard value.utf8.count <= 100, value.lowercased().hasPrefix("bytes ") else {
            throw Self.malformed("its unit is not bytes")
        }
        let parts = value.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw Self.malformed("it must contain exactly one slash") }
        if parts[1] != "*" { total = try Self.number(parts[1]) }
        if parts[0] == "*" {
            guard total != nil else { throw Self.malformed("it has neither a range nor a length") }
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { throw Self.malformed("its range must have two ends") }
        let (first, last) = (try Self.number(ends[0]), try Self.number(ends[1]))
        guard first <= last else { throw Self.malformed("its range ends before it starts") }
        // The upper bound plus one must also fit into an `Int64`.
        guard last < Int64.max else { throw Self.malformed("a number is too large") }
        if let total, last >= total { throw Self.malformed("its range ends beyond the total length") }
        bytes = first...last
    }

    /// Parses plain digits, without a sign or spaces.
    static func number(_ text: Substring) throws(TransferError) -> Int64 {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw malformed("a number is missing or malformed")
        }
        guard let number = Int64(text) else { throw malformed("a number is too large") }
        return number
    }

    private static func malformed(_ what: String) -> TransferError {
        TransferError(.malformedField, "Content-Range is malformed: \(what).")
    }
}
