/// A single range of a `Range` header (RFC 9110, section 14.2).
package enum ByteRange: Hashable, Sendable {
    /// From the first to the last position, inclusive; without a last position, to the end of the file.
    case from(Int64, through: Int64?)
    /// The given number of bytes at the end.
    case suffix(Int64)

    /// Parses a header value. Returns `nil` if the header must be ignored: it is malformed, uses another unit, or
    /// contains several ranges, which a server may answer with the whole file.
    package init?(_ value: String) {
        guard value.hasPrefix("bytes=") else { return nil }
        let specification = value.dropFirst(6).filter { $0 != " " && $0 != "\t" }
        let bounds = specification.split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return nil }
        switch (Self.number(bounds[0]), Self.number(bounds[1])) {
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (let first?, nil) where bounds[1].isEmpty: self = .from(first, through: nil)
        case (nil, let count?) where bounds[0].isEmpty: self = .suffix(count)
        default: return nil
        }
    }

    /// Returns the positions that exist in a file of this size; `nil` if none exists (status 416).
    package func resolved(size: Int64) -> ClosedRange<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first < size else { return nil }
            return first...min(last ?? size - 1, size - 1)
        case .suffix(let count):
            guard count > 0, size > 0 else { return nil }
            return max(0, size - count)...(size - 1)
        }
    }

    /// Accepts only digits, because `Int64` would also accept a sign.
    private static func number(_ text: some StringProtocol) -> Int64? {
        text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int64(text) : nil
    }
}
