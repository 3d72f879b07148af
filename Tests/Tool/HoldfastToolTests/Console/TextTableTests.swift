import Testing

@testable import HoldfastTool

@Suite("Tool: tables and terminal width")
struct TextTableTests {
    private func table(_ rows: [[String]], hasRule: Bool = false) -> TextTable {
        var table = TextTable([.number("#"), .text("subject"), .whole("end")], hasRule: hasRule)
        for row in rows { table.add(row) }
        return table
    }

    @Test func columnsAreAsWideAsTheirWidestCell() {
        let lines = table([["0", "CN=a", "x"], ["10", "CN=longer", ""]]).lines()
        #expect(lines == [" #  subject    end", " 0  CN=a       x", "10  CN=longer"])
    }

    @Test func aLongCellIsCut() {
        var table = TextTable([.text("a")])
        table.add([String(repeating: "x", count: 49)], limit: 48)
        table.add([String(repeating: "y", count: 48)], limit: 48)
        #expect(table.lines()[1] == String(repeating: "x", count: 47) + "…")
        #expect(table.lines()[2].count == 48)
    }

    @Test func aLongCellIsWrappedWithinTheWidth() {
        let lines = table([["1", "the quick brown fox jumps over", "2031-03-15"]], hasRule: true).lines(width: 32)
        #expect(
            lines == [
                "#  subject            end", "-  -----------------  ----------", "1  the quick brown    2031-03-15",
                "   fox jumps over",
            ])
    }

    @Test(arguments: [10, 20, 33, 40, 79, 80, 200])
    func nothingIsWiderThanTheTerminal(_ width: Int) {
        let long = String(repeating: "word ", count: 30) + String(repeating: "x", count: 90)
        let lines = table([["1", long, "short"], ["2", "面白い絵文字 👩‍👩‍👧‍👦👩‍👩‍👧‍👦 " + long, "2031"]]).lines(width: width)
        // A list needs space for a title and a few characters.
        #expect(lines.allSatisfy { TerminalWidth.columns($0) <= max(width, 25) }, "\(lines)")
    }

    @Test func narrowTableIsAList() {
        var table = TextTable([.whole("#"), .text("subject"), .whole("pin")])
        table.add(["0", "CN=a", String(repeating: "p", count: 51)])
        table.add(["1", "CN=b", ""])
        #expect(
            table.lines(width: 60) == [
                "#        0", "subject  CN=a", "pin      " + String(repeating: "p", count: 51), "", "#        1",
                "subject  CN=b",
            ])
    }

    @Test(arguments: [
        ("abc", 3), ("面白", 4), ("👩‍👩‍👧‍👦", 2), ("🏳️‍🌈", 2), ("e\u{301}", 1), ("می‌خواهم", 7), ("🇫🇮", 2), ("", 0),
    ]) func characterWidths(_ text: String, _ columns: Int) {
        #expect(TerminalWidth.columns(text) == columns)
    }

    @Test func wrapsBetweenWords() {
        #expect(TerminalWidth.wrapped("one two three", to: 7) == ["one two", "three"])
        #expect(TerminalWidth.wrapped("one two three", to: 8) == ["one two", "three"])
        #expect(TerminalWidth.wrapped("abcdefgh", to: 3) == ["abc", "def", "gh"])
        #expect(TerminalWidth.wrapped("", to: 3) == [""])
        #expect(TerminalWidth.wrapped("面白い", to: 1) == ["面", "白", "い"])
        #expect(TerminalWidth.clipped("abcdef", to: 4) == "abc…")
        #expect(TerminalWidth.clipped("abcd", to: 4) == "abcd")
    }

    @Test func wrapsProseForTerminals() {
        let text = "holdfast: the server is refused\n  since its key is another"
        #expect(Console(output: { _ in }, notes: { _ in }).fitted(text) == text)
        let narrow = Console(output: { _ in }, notes: { _ in }, columns: { 24 })
        #expect(narrow.fitted(text) == "holdfast: the server\n  is refused\n  since its key is\n    another")
        let wide = Console(output: { _ in }, notes: { _ in }, columns: { 80 })
        #expect(wide.fitted(text) == text)
    }

    @Test func aProgressLineFitsAndCannotMoveTheCursor() {
        let line = ProgressLine(
            label: String(repeating: "long", count: 40) + "\u{1B}[2J", done: 512 * 1_024, total: 1_024 * 1_024)
        for columns in [20, 80, 200] {
            let text = line.text(columns: columns)
            #expect(TerminalWidth.columns(text) < columns)
            #expect(!text.contains("\u{1B}"))
        }
        #expect(line.text(columns: 120).contains(" 50 %  512 of 1024 KiB"))
    }

    @Test func progressReplacesPrompt() {
        let transcript = Transcript(isInteractive: true)
        let base = transcript.console
        let drawing = TerminalLastLine(
            console: Console(output: base.output, notes: base.notes, isInteractive: true, inputIsTerminal: true))
        drawing.draw()
        drawing.show("half")
        drawing.write { base.note("news") }
        drawing.show(nil)
        drawing.remove()
        let clear = "\r\u{1B}[K"
        #expect(transcript.notes == "> \(clear)half\(clear)news\nhalf\(clear)> \(clear)")
    }

    @Test func progressNeedsATerminal() {
        let transcript = Transcript()
        let drawing = TerminalLastLine(console: transcript.console)
        drawing.show("half")
        drawing.show(nil)
        #expect(transcript.notes.isEmpty)
    }
}
