/// Cuts bytes into lines. A line that is longer than the limit is skipped, not kept.
struct LineReader {
    /// One line, without its end.
    enum Line: Hashable {
        case text([UInt8])
        /// The line had more bytes than the limit.
        case tooLong(limit: Int)

        /// Returns the line as text. Throws one sentence.
        ///
        /// - Parameter advice: What follows the sentence about a line that is not UTF-8.
        func text(otherwise advice: String = "") throws(ToolError) -> String {
            switch self {
            case .tooLong(let limit): throw ToolError("it has more than \(limit) bytes")
            case .text(let bytes):
                guard let text = String(validating: bytes, as: UTF8.self) else {
                    throw ToolError("it is no UTF-8\(advice)")
                }
                return text
            }
        }
    }

    private let read: (Int) throws -> [UInt8]
    private let limit: Int
    private var buffer: [UInt8] = []
    /// Bytes before this position of the buffer have been handed out.
    private var start = 0
    /// Bytes before this position hold no line end.
    private var searched = 0
    private var isSkipping = false
    private var atEnd = false

    /// Bytes asked for at a time.
    private static let chunk = 64 * 1024

    /// Reads through `read`, which answers with an empty array at the end.
    init(limit: Int, read: @escaping (Int) throws -> [UInt8]) {
        self.limit = limit
        self.read = read
    }

    /// The next line; `nil` at the end. Bytes after the last line end count as a line.
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
