/// Splits bytes into lines. A line that exceeds the limit is skipped and not stored.
struct LineReader {
    /// One line, without its line break.
    enum Line: Hashable {
        case text([UInt8])
        /// The line had more bytes than the limit.
        case tooLong(limit: Int)

        /// Returns the line as text. Throws one sentence.
        ///
        /// - Parameter advice: Text appended to the error about a line that is not UTF-8.
        func text(otherwise advice: String = "") throws(ToolError) -> String {
            switch self {
            case .tooLong(let limit): throw ToolError("it has more than \(limit) bytes")
            case .text(let bytes):
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw ToolError("it is not valid UTF-8\(advice)")
                }
                return text
            }
        }
    }

    private let read: (Int) throws -> [UInt8]
    private let limit: Int
    private var buffer: [UInt8] = []
    /// Bytes before this position of the buffer were returned.
    private var start = 0
    /// Bytes before this position contain no line break.
    private var searched = 0
    private var isSkipping = false
    private var atEnd = false

    /// The number of bytes per read.
    private static let chunk = 64 * 1024

    /// Reads through `read`, which returns an empty array at the end.
    init(limit: Int, read: @escaping (Int) throws -> [UInt8]) {
        self.limit = limit
        self.read = read
    }

    /// Returns the next line; `nil` at the end. Bytes after the last line break count as a line.
    mutating func next() throws -> Line? {
        while true {
            if let end = buffer[searched...].firstIndex(of: UInt8(ascii: "\n")) {
                let line = Array(buffer[start..<end])
                start = end + 1
                searched = start
                return finish(line)
            }
            searched = buffer.count
            if buffer.count - start > limit {
                isSkipping = true
                start = searched
            }
            if atEnd {
                guard start < buffer.count || isSkipping else { return nil }
                let line = Array(buffer[start...])
                start = buffer.count
                return finish(line)
            }
            buffer.removeFirst(start)
            start = 0
            searched = buffer.count
            let part = try read(LineReader.chunk)
            atEnd = part.isEmpty
            buffer += part
        }
    }

    private mutating func finish(_ line: [UInt8]) -> Line {
        defer { isSkipping = false }
        return isSkipping || line.count > limit ? .tooLong(limit: limit) : .text(line)
    }
}
