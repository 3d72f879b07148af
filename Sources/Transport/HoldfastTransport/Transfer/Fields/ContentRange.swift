/// The value of `Content-Range` (RFC 9110, 14.4): which bytes of how many a `206` carries.
struct ContentRange: Hashable, Sendable {
    /// The first byte; `nil` in the form of a `416`, which names the length alone.
    var bytes: ClosedRange<Int64>?
    /// How many bytes the whole has, where that is said.
    var total: Int64?

    /// Reads a value. Numbers beyond 63 bits, a range that ends before it begins or behind the whole, and every other unit than
    /// bytes are malformed.
    init(parsing value: String) throws(TransferError) {
        guard value.utf8.count <= 100, value.lowercased().hasPrefix("bytes ") else {
            throw Self.malformed("it is no range of bytes")
        }
        let parts = value.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2 else { throw Self.malformed("it has no slash, or two") }
        if parts[1] != "*" { total = try Self.number(parts[1]) }
        if parts[0] == "*" {
            guard total != nil else { throw Self.malformed("it says nothing") }
            return
        }
        let ends = parts[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2 else { throw Self.malformed("its range has not two ends") }
        let (first, last) = (try Self.number(ends[0]), try Self.number(ends[1]))
        guard first <= last else { throw Self.malformed("its range ends before it begins") }
        // One more has to be a number, too.
        guard last < Int64.max else { throw Self.malformed("a number is too large") }
        if let total, last >= total { throw Self.malformed("its range ends behind the whole") }
        bytes = first...last
    }

    /// Plain digits alone: no sign, no space.
    static func number(_ text: Substring) throws(TransferError) -> Int64 {
        guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            throw malformed("a number is missing or malformed")
        }
        guard let number = Int64(text) else { throw malformed("a number is too large") }
        return number
    }

    private static func malformed(_ what: String) -> TransferError {
        TransferError(.malformedField, "Content-Range cannot be read: \(what).")
    }
}
