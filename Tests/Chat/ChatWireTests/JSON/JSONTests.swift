import ChatWire
import Testing

@Suite struct JSONTests {
    @Test(arguments: [
        "null", "true", "false", "0", "-0", "12", "-1.5e-3", "1E+2", "9223372036854775808", #""""#, #""a\"\\/é…""#,
        #""\u0001\b\f\n\r\t""#, "[]", "{}", #"{"b":1,"a":[{"c":null}]}"#, #"["\u001f"]"#,
    ])
    func textRoundTrips(_ text: String) throws {
        #expect(try JSONValue(parsing: text).text == text)
    }

    @Test func escapesAreDecoded() throws {
        #expect(try JSONValue(parsing: #""\u0041\/\ud83d\ude00""#) == .string("A/😀"))
    }

    @Test func textCutInsideAnEmojiBecomesAReplacementCharacter() throws {
        #expect(try JSONValue(parsing: #""cut \ud83d""#) == .string("cut \u{FFFD}"))
        #expect(try JSONValue(parsing: #""\ude00!""#) == .string("\u{FFFD}!"))
        #expect(try JSONValue(parsing: #""\ud83dA""#) == .string("\u{FFFD}A"))
        #expect(try JSONValue(parsing: #""\ud83d\u0041""#) == .string("\u{FFFD}A"))
    }

    @Test func theLastOfARepeatedKeyCounts() throws {
        #expect(try JSONValue(parsing: #"{"a":1,"b":2,"a":3}"#).text == #"{"a":3,"b":2}"#)
    }

    @Test(arguments: [
        ("", JSONError.Code.unexpectedEnd, 0), ("nul", .unexpectedEnd, 3), ("nuLl", .unexpectedByte, 2),
        ("01", .badNumber, 0), ("-", .badNumber, 0), ("1.", .badNumber, 0), ("1e", .badNumber, 0),
        ("[1,]", .unexpectedByte, 3), ("[1", .unexpectedEnd, 2), ("{\"a\"}", .unexpectedByte, 4),
        ("{a:1}", .unexpectedByte, 1), ("{\"a\":1,}", .unexpectedByte, 7), ("\"a", .unexpectedEnd, 2),
        ("\"\\x\"", .badEscape, 2), ("\"\\u12g4\"", .badEscape, 5), ("\"\\u12", .unexpectedEnd, 5),
        ("\"\n\"", .controlCharacter, 1), ("1 2", .trailingBytes, 2), ("'a'", .unexpectedByte, 0),
        ("NaN", .unexpectedByte, 0),
    ])
    func malformedTextIsAnErrorWithItsPlace(_ text: String, _ code: JSONError.Code, _ offset: Int) {
        #expect(throws: JSONError(code, at: offset)) { try JSONValue(parsing: text) }
    }

    @Test func textThatIsNotUTF8IsRefused() {
        #expect(throws: JSONError(.notUTF8, at: 0)) { try JSONValue(parsing: [0x22, 0xC3, 0x28, 0x22]) }
    }

    @Test func depthAndSizeAreLimited() throws {
        let deep = String(repeating: "[", count: 5) + String(repeating: "]", count: 5)
        let tight = JSONLimits(maximumBytes: 10, maximumDepth: 5)
        #expect(throws: Never.self) { try JSONValue(parsing: deep, limits: tight) }
        #expect(throws: JSONError(.tooDeep, at: 4)) {
            try JSONValue(parsing: deep, limits: JSONLimits(maximumBytes: 10, maximumDepth: 4))
        }
        #expect(throws: JSONError(.tooLong, at: 9)) {
            try JSONValue(parsing: deep, limits: JSONLimits(maximumBytes: 9))
        }
        // The input that an attacker would send to overflow the stack.
        let bomb = String(repeating: "[{\"a\":", count: 500_000)
        #expect(throws: JSONError.self) { try JSONValue(parsing: bomb) }
    }

    @Test func wholeNumbersAreReadExactly() throws {
        #expect(try JSONValue(parsing: "9223372036854775807").integerValue == .max)
        #expect(try JSONValue(parsing: "9223372036854775808").integerValue == nil)
        #expect(try JSONValue(parsing: "3.0").integerValue == 3)
        #expect(try JSONValue(parsing: "1e2").integerValue == 100)
        #expect(try JSONValue(parsing: "3.5").integerValue == nil)
        #expect(try JSONValue(parsing: "1e999").integerValue == nil)
        #expect(JSONValue.string("42").integerValue == 42)
    }

    @Test func booleansAsTextCount() {
        #expect(JSONValue.string("True").boolValue == true)
        #expect(JSONValue.string("false").boolValue == false)
        #expect(JSONValue.string("yes").boolValue == nil)
        #expect(JSONValue.integer(1).boolValue == nil)
    }
}
