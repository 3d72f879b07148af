/// The one range of a `Range` header (RFC 9110, 14.2).
enum ByteRange: Hashable, Sendable {
    /// From the first to the last position, both included; to the end of the file without a last one.
    case from(Int64, through: Int64?)
    /// The last so many bytes.
    case suffix(Int64)

    /// Reads a header value. `nil` means that the header is to be ignored: it is malformed, of another unit, or asks for
    /// several ranges, which a server may answer with the whole file.
    init?(_ value: String) {
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

    /// The positions that a file of this size can give; `nil` when none of them exists (416).
    func resolved(size: Int64) -> ClosedRange<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first < size else { return nil }
            return first...min(last ?? size - 1, size - 1)
        case .suffix(let count):
            guard count > 0, size > 0 else { return nil }
            return max(0, size - count)...(size - 1)
        }
    }

    /// Digits only: `Int64` alone would also take a sign.
    private static func number(_ text: some StringProtocol) -> Int64? {
        guard !text.isEmpty, text.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }) else {
            return nil
        }
        return Int64(text)
    }
}
