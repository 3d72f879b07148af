/// The version of an app: one to four numbers, such as `2.10.1`.
///
/// Versions are compared by their numbers, and missing numbers count as zero: `2.10` is later than `2.9` and equal to
/// `2.10.0`.
public struct AppVersion: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The numbers without zeros at the end.
    private let parts: [Int64]

    /// Reads a version. Returns `nil` for anything but one to four numbers of at most nine digits, separated by dots.
    public init?(_ text: String) {
        guard text.utf8.count <= 39 else { return nil }
        let texts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...4).contains(texts.count) else { return nil }
        var parts: [Int64] = []
        for text in texts {
            guard (1...9).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
                let part = Int64(text)
            else { return nil }
            parts.append(part)
        }
        while parts.last == 0 { parts.removeLast() }
        self.parts = parts
    }

    /// Returns whether the first version is earlier than the second.
    public static func < (lhs: AppVersion, rhs: AppVersion) -> Bool { lhs.parts.lexicographicallyPrecedes(rhs.parts) }

    /// The numbers separated by dots, without zeros at the end.
    public var description: String {
        parts.isEmpty ? "0" : parts.map { String($0) }.joined(separator: ".")
    }
}
