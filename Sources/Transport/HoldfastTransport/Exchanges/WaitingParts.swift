/// The parts of a streamed body that wait for their reader.
struct WaitingParts: Sendable {
    /// Parts that are smaller are put together: an array costs more memory than the byte that a chunk may hold.
    private static let smallPart = 4 * 1024

    private var parts: [[UInt8]] = []

    /// Whether none waits.
    var isEmpty: Bool { parts.isEmpty }

    /// How many arrays wait.
    var count: Int { parts.count }

    /// A part has come before the reader has.
    mutating func keep(_ part: [UInt8]) {
        if let last = parts.indices.last, parts[last].count < Self.smallPart {
            parts[last] += part
        } else {
            parts.append(part)
        }
    }

    /// All the parts that wait, as one.
    mutating func takeAll() -> [UInt8] {
        defer { parts.removeAll(keepingCapacity: true) }
        return parts.count == 1 ? parts[0] : Array(parts.joined())
    }
}
