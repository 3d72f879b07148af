/// The parts of a streamed body that wait for the reader.
struct WaitingParts: Sendable {
    /// The size below which parts are merged, because an array needs more memory than a small chunk.
    private static let smallPart = 4 * 1024

    private var parts: [[UInt8]] = []

    /// Whether no part waits.
    var isEmpty: Bool { parts.isEmpty }

    /// The number of waiting arrays.
    var count: Int { parts.count }

    /// Stores a part until it is read.
    mutating func keep(_ part: [UInt8]) {
        if let last = parts.indices.last, parts[last].count < Self.smallPart {
            parts[last] += part
        } else {
            parts.append(part)
        }
    }

    /// Removes and returns all waiting parts as one.
    mutating func takeAll() -> [UInt8] {
        defer { parts.removeAll(keepingCapacity: true) }
        return parts.count == 1 ? parts[0] : Array(parts.joined())
    }
}
