import Testing

@testable import HoldfastTool

@Suite struct LineReaderTests {
    /// Reads `text` in pieces of `size` bytes.
    private func lines(_ text: String, limit: Int = 100, piece size: Int) throws -> [LineReader.Line] {
        var rest = Array(text.utf8)[...]
        var reader = LineReader(limit: limit) { count in
            let part = rest.prefix(min(size, count))
            rest = rest.dropFirst(part.count)
            return Array(part)
        }
        var lines: [LineReader.Line] = []
        while let line = try reader.next() { lines.append(line) }
        return lines
    }

    @Test(arguments: [1, 2, 3, 5, 1_000]) func linesAreIndependentOfReadSizes(_ size: Int) throws {
        func text(_ text: String) -> LineReader.Line { .text(Array(text.utf8)) }
        #expect(try lines("", piece: size) == [])
        #expect(try lines("\n", piece: size) == [text("")])
        #expect(try lines("a", piece: size) == [text("a")])
        #expect(try lines("a\n", piece: size) == [text("a")])
        #expect(try lines("ab\n\ncd\r\nef", piece: size) == [text("ab"), text(""), text("cd\r"), text("ef")])
        #expect(
            try lines("123456\n1234567\n12345678901234567\nend", limit: 6, piece: size)
                == [text("123456"), .tooLong(limit: 6), .tooLong(limit: 6), text("end")])
        #expect(try lines("1234567", limit: 6, piece: size) == [.tooLong(limit: 6)])
    }

    @Test func anErrorOfTheSourceIsPassedOn() {
        var reader = LineReader(limit: 10) { _ in throw ToolError("broken") }
        #expect(throws: ToolError("broken")) { try reader.next() }
    }
}
