import HoldfastTrust
import Testing

@testable import HoldfastFormats

@Suite("Property lists") struct PropertyListTests {
    private func read(_ body: String) throws -> PropertyNode {
        try PropertyListReader.read(Array("<plist version=\"1.0\">\(body)</plist>".utf8))
    }

    @Test func readsEveryKindOfValue() throws {
        let node = try read(
            """
            <dict>
              <key>s</key><string> a &amp; b </string>
              <key>t</key><true/><key>f</key><false/>
              <key>i</key><integer>-42</integer><key>h</key><integer>0x1F</integer>
              <key>r</key><real>1.5e3</real>
              <key>d</key><date>2027-01-31T00:00:00Z</date>
              <key>b</key><data>
                AQID
                BA==
              </data>
              <key>a</key><array><string>x</string><dict/></array>
            </dict>
            """)
        #expect(node["s"]?.value.value == .string(" a & b "))
        #expect(node["t"]?.value.value == .bool(true))
        #expect(node["f"]?.value.value == .bool(false))
        #expect(node["i"]?.value.value == .integer(-42))
        #expect(node["h"]?.value.value == .integer(31))
        #expect(node["r"]?.value.value == .real("1.5e3"))
        #expect(node["d"]?.value.value == .date(try #require(Timestamp(iso8601: "2027-01-31"))))
        #expect(node["b"]?.value.value == .data([1, 2, 3, 4]))
        #expect(node["f"]?.position == SourcePosition(line: 3, column: 22))
        guard case .array(let values)? = node["a"]?.value.value else {
            Issue.record("no array")
            return
        }
        #expect(values.map(\.kind) == ["a string", "a dictionary"])
    }

    @Test(arguments: [
        "", "text", "<dict/><dict/>", "<dict>x</dict>", "<dict><key>a</key></dict>", "<dict><string>a</string></dict>",
        "<dict><key>a</key><true/><key>a</key><true/></dict>", "<true>x</true>", "<integer>1.5</integer>", "<integer/>",
        "<integer>99999999999999999999</integer>", "<integer>0x</integer>", "<integer>--1</integer>", "<real>x</real>",
        "<date>2027-01-31</date>", "<date>2027-02-31T00:00:00Z</date>", "<data>*</data>", "<null/>",
        "<string><b/></string>",
        "<array>x</array>", "<string a='1'>x</string>",
    ])
    func refusesInvalidPropertyLists(_ body: String) {
        #expect(throws: SyntaxFault.self) { try read(body) }
    }

    @Test func binaryPropertyListNamesRemedy() {
        let fault = #expect(throws: SyntaxFault.self) { try PropertyListReader.read(Array("bplist00\u{1}".utf8)) }
        #expect(fault?.code == .binaryPropertyList)
        #expect(fault?.reason.contains("plutil -convert xml1") == true)
        let document = PolicyFormats.read("bplist00", as: nil)
        #expect(document.codes(.error) == ["binary-property-list"])
    }

    @Test func writtenTextIsReadBack() throws {
        let value = PropertyNode.Value.fields([
            ("a", .list([.string("x & <y>"), .bool(true), .integer(.min), .fields([])])),
            ("b", .date(Timestamp(secondsSince1970: 1_800_000_000))), ("c", .data([0, 255])), ("d", .list([])),
            ("e", .real("0.25")),
        ])
        let read = try PropertyListReader.read(Array(PropertyListWriter.text(value).utf8))
        #expect(read.isSame(as: PropertyNode(value)))
        #expect(!read.isSame(as: PropertyNode(.fields([]))))
    }
}
