import ServerKit
import Testing

@Suite("Fields of forms and queries")
struct FormFieldsTests {
    @Test("Fields are decoded")
    func decoding() throws {
        let fields = try FormFields(urlencoded: Array("intent=send&text=a%2Bb+c%0D%0Ad%C3%A4&empty=&flag&a=b=c".utf8))
        #expect(fields["intent"] == "send")
        #expect(fields["text"] == "a+b c\r\nd\u{E4}")
        #expect(fields.text("text") == "a+b c\nd\u{E4}")
        #expect(fields["empty"] == "")
        #expect(fields["flag"] == "")
        #expect(fields["a"] == "b=c")
        #expect(fields["none"] == nil && fields.text("none") == nil)
        #expect(try FormFields(query: "").values.isEmpty)
    }

    @Test("Malformed forms are refused", arguments: ["a=%", "a=%zz", "a=1&a=2", "a&a", "a=%FF", "=%", "%=1"])
    func malformed(text: String) {
        #expect(throws: FormFields.Malformed.self) { try FormFields(urlencoded: Array(text.utf8)) }
        #expect(throws: FormFields.Malformed.self) { try FormFields(query: text) }
    }

    @Test("A form that is not UTF-8 is refused")
    func encoding() {
        #expect(throws: FormFields.Malformed.self) { try FormFields(urlencoded: [0x61, 0x3D, 0xFF]) }
    }

    @Test("Too many fields are refused")
    func limit() throws {
        let names = (1...FormFields.limit).map { "f\($0)" }
        var fields = try FormFields(query: names.joined(separator: "&"))
        #expect(fields.values.count == FormFields.limit)
        #expect(throws: FormFields.Malformed.self) { try fields.add("one-more", "") }
        #expect(throws: FormFields.Malformed.self) { try FormFields(query: (names + ["x"]).joined(separator: "&")) }
    }

    @Test("A repeated field of a multipart form is refused")
    func repetition() throws {
        var fields = FormFields()
        try fields.add("a", "1")
        #expect(throws: FormFields.Malformed.self) { try fields.add("a", "1") }
        #expect(fields["a"] == "1")
    }
}
