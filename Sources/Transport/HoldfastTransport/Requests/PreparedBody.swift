/// The body of a request, opened and with its length determined.
enum PreparedBody: Sendable {
    case absent
    case bytes([UInt8])
    case file(FileReader, Range<Int64>)
    case stream(length: Int64?)

    var isAbsent: Bool {
        if case .absent = self { true } else { false }
    }

    /// The number of bytes, if known.
    var length: Int64? {
        switch self {
        case .absent: 0
        case .bytes(let bytes): Int64(bytes.count)
        case .file(_, let range): Int64(range.count)
        case .stream(let length): length
        }
    }

    /// Whether the body can be sent again.
    var isReplayable: Bool {
        if case .stream = self { false } else { true }
    }
}
