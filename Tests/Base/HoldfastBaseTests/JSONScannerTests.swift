import HoldfastBase
import Testing

@Suite struct JSONScannerTests {
    /// Reads a text and writes it again in the compact form.
    private func read(_ text: some Sequence<UInt8>, forgives: Bool = false) throws(JSONScanner.Fault) -> String {
        var scanner = try JSONScanner(
            Array(text), maximumBytes: 100, maximumDepth: 3, maximumCount: 8, allowsByteOrderMark: forgives,
            replacesLoneSurrogates: forgives)
        var printer = JSONPrinter(.compact)
        try copy(&scanner, to: &printer)
        try scanner.finish()
        return String(decoding: printer.bytes, as: UTF8.self)
    }

    private func copy(_ scanner: inout JSONScanner, to printer: inout JSONPrinter) throws(JSONScanner.Fault) {
        switch try scanner.value() {
        case .null: printer.write(literal: "null")
        case .bool(let value): printer.write(literal: "\(value)")
        case .number(let digits): printer.write(literal: digits)
        case .string(let text): printer.write(string: text)
        case .array:
            printer.open("[")
            while try scanner.hasElement() {
                printer.item()
                try copy(&scanner, to: &printer)
            }
            printer.close("]")
        case .object:
            printer.open("{")
            while let key = try scanner.key() {
                try scanner.colon()
                printer.member(key)
                try copy(&scanner, to: &printer)
            }
            printer.close("}")
        }
    }

    @Test(arguments: [
        "null", "-0.5E+2", "[]", "{}", #"[true,false,"a\n\u0001\"\\é😀"]"#, #"{"b":[1,{}],"a":{"c":null}}"#,
    ])
    func readsAndWritesText(text: String) throws {
        #expect(try read(text.utf8) == text)
        #expect(try read(" \(text)\r\n".utf8) == text)
    }

    @Test(arguments: [
        ("", JSONScanner.Fault.Code.value, 0), ("nulL", .value, 3), ("[1 2]", .comma(end: "]"), 3),
        (#"{"a" 1}"#, .colon, 5), ("{1}", .key, 1), ("-", .digit, 1), ("1.e", .digit, 2), ("01", .trailing, 1),
        (#""\x""#, .escape, 2), (#""\u12x4""#, .hexadecimal, 5), (#""\ud83d\u0041""#, .surrogate, 13),
        ("\"\n\"", .controlCharacter, 1), (#""a"#, .openString, 2), ("[[[[", .tooDeep, 3),
        ("[1,1,1,1,1,1,1,1]", .tooMany, 15),
    ])
    func faultHasCodeAndPosition(text: String, code: JSONScanner.Fault.Code, offset: Int) {
        let fault = #expect(throws: JSONScanner.Fault.self) { try read(text.utf8) }
        #expect(fault?.code == code)
        #expect(fault?.offset == offset)
    }

    @Test func leniencyIsOptional() throws {
        let mark = [0xEF, 0xBB, 0xBF] + Array("1".utf8)
        #expect(throws: JSONScanner.Fault.self) { try read(mark) }
        #expect(try read(mark, forgives: true) == "1")
        #expect(try read(#""\ud83d\u0041\udE00""#.utf8, forgives: true) == "\"\u{FFFD}A\u{FFFD}\"")
    }

    @Test func countsLinesAndColumns() throws {
        let fault = #expect(throws: JSONScanner.Fault.self) { try read("[1,\n\n  x]".utf8) }
        #expect(fault?.line == 3)
        #expect(fault.map { $0.column(of: $0.offset) } == 3)
    }

    @Test func indentedStyleUsesOneLinePerValue() {
        var printer = JSONPrinter(.indented)
        printer.open("{")
        printer.member("a")
        printer.open("[")
        printer.close("]")
        printer.member("b\u{8}\u{7F}")
        printer.write(literal: "1")
        printer.close("}")
        #expect(String(decoding: printer.bytes, as: UTF8.self) == "{\n  \"a\": [],\n  \"b\\u0008\\u007f\": 1\n}")
    }
}
