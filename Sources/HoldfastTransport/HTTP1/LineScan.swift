/// Finds the empty line that ends a section of header fields.
struct LineScan: Hashable, Sendable {
    private var lineIsEmpty = false

    /// How many bytes were looked at, and whether the last of them ends what was looked for.
    struct Taken: Hashable, Sendable {
        var count: Int
        var isComplete: Bool
    }

    /// `lineIsEmpty`: the section begins at the start of a line, so that an empty line may come first.
    init(atLineStart lineIsEmpty: Bool = false) {
        self.lineIsEmpty = lineIsEmpty
    }

    /// Looks for the end of the section.
    mutating func takeSection(_ bytes: some Collection<UInt8>) -> Taken {
        var count = 0
        for byte in bytes {
            count += 1
            switch byte {
            case UInt8(ascii: "\n"):
                if lineIsEmpty { return Taken(count: count, isComplete: true) }
                lineIsEmpty = true
            case UInt8(ascii: "\r"):
                break
            default:
                lineIsEmpty = false
            }
        }
        return Taken(count: count, isComplete: false)
    }
}
