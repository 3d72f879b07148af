import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastFormats

@Suite("XML") struct XMLReaderTests {
    private func read(_ text: String, doctype: String? = nil) throws -> XMLElement {
        try XMLReader.read(Array(text.utf8), doctype: doctype)
    }

    private func fault(_ text: String, doctype: String? = nil) -> SyntaxFault? {
        #expect(throws: SyntaxFault.self) { try read(text, doctype: doctype) }
    }

    @Test func readsElementsAttributesAndText() throws {
        let root = try read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- before -->
            <a x='1' y="&lt;&#65;&#x42;&amp;">one<b/> two <![CDATA[<&>]]><c>&quot;&apos;&gt;</c><?pi x?><!-- in --></a>
            <!-- after -->

            """)
        #expect(root.name == "a")
        #expect(root.attributes.map(\.name) == ["x", "y"])
        #expect(root.attribute("y")?.value == "<AB&")
        #expect(root.text == "one two <&>")
        #expect(root.elements.map(\.name) == ["b", "c"])
        #expect(root.elements.last?.text == "\"'>")
        #expect(root.position == SourcePosition(line: 3, column: 1))
        #expect(root.elements.first?.position == SourcePosition(line: 3, column: 38))
    }

    @Test func normalizesLineEndings() throws {
        #expect(try read("<a>x\r\ny\rz</a>").text == "x\ny\nz")
        #expect(try read("<a b='x\r\ny\tz'/>").attribute("b")?.value == "x y z")
    }

    @Test(arguments: [
        "", " ", "<a>", "<a><b/>", "<a/>zz", "<a/><b/>", "zz<a/>", "<a></b>", "<a", "<a x>", "<a x=1/>",
        "<a x='1'y='2'/>",
        "<a x='1' x='2'/>", "<a x='<'/>", "<a>&unknown;</a>", "<a>&lt</a>", "<a>&#0;</a>", "<a>&#xD800;</a>",
        "<a>&#x110000;</a>",
        "<a>&#+5;</a>", "<a>]]></a>", "<a><!-- -- --></a>", "<a><!-- </a>", "<a><![CDATA[</a>", "<a>\u{1}</a>", "<1/>",
        "< a/>",
        "<a/ >", "</a>", "<!DOCTYPE a><a/>", "<!DOCTYPE a [<!ENTITY x 'y'>]><a>&x;</a>", "<a><!DOCTYPE a></a>",
        "<?xml encoding='utf-8'?><a/>", "<?xml version='1.0' encoding='latin1'?><a/>", "<a/><?xml version='1.0'?>",
        " <?xml version='1.0'?><a/>", "<a><?xml version='1.0'?></a>",
    ])
    func refusesInvalidXML(_ text: String) {
        #expect(fault(text) != nil)
    }

    @Test func firstFaultHasPosition() {
        #expect(fault("<a>\n  <b>\n</a>")?.position == SourcePosition(line: 3, column: 1))
        #expect(fault("<a>\n  <b x='1' x='2'/></a>")?.position == SourcePosition(line: 2, column: 12))
        #expect(fault("<a/>zz")?.position == SourcePosition(line: 1, column: 5))
        #expect(fault("<a>&nbsp;</a>")?.code == .unknownEntity)
        #expect(fault("<a><b/>")?.reason.contains("not closed") == true)
    }

    @Test func acceptsOnlyExpectedDocumentType() throws {
        let type = "<!DOCTYPE plist PUBLIC \"-//Apple//DTD PLIST 1.0//EN\" \"http://www.apple.com/x.dtd\">"
        #expect(try read(type + "<plist/>", doctype: "plist").name == "plist")
        #expect(fault(type + "<plist/>")?.code == .documentType)
        #expect(fault("<!DOCTYPE other><plist/>", doctype: "plist")?.code == .documentType)
        #expect(fault(type + type + "<plist/>", doctype: "plist")?.code == .documentType)
        #expect(
            fault("<!DOCTYPE plist [<!ENTITY a SYSTEM \"file:///etc/passwd\">]><plist>&a;</plist>", doctype: "plist")?
                .code == .documentType)
    }

    @Test func enforcesLimits() throws {
        func nested(_ depth: Int) -> String {
            String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
        }
        #expect(try read(nested(XMLReader.maximumDepth)).name == "a")
        #expect(fault(nested(XMLReader.maximumDepth + 1))?.code == .tooDeep)
        #expect(fault(nested(100_000))?.code == .tooDeep)
        let attributes = (0...XMLReader.maximumAttributes).map { " a\($0)=''" }.joined()
        #expect(fault("<a\(attributes)/>")?.code == .tooLarge)
        #expect(throws: SyntaxFault.self) {
            try XMLReader.read([UInt8](repeating: 0x20, count: XMLReader.maximumSize + 1))
        }
    }

    @Test func namesUnsupportedEncoding() {
        #expect(throws: SyntaxFault.self) { try XMLReader.read([0xFF, 0xFE, 0x3C, 0x00]) }
        #expect(throws: SyntaxFault.self) { try XMLReader.read([0x3C, 0x61, 0x3E, 0xFF, 0x3C, 0x2F, 0x61, 0x3E]) }
        #expect((try? XMLReader.read([0xEF, 0xBB, 0xBF] + Array("<a/>".utf8)))?.position == .start)
    }

    @Test func writtenTextIsReadBack() throws {
        let text = "a<b>&\"'\r\n\t]]> ü €"
        var writer = XMLWriter()
        writer.element("root", [("x", "<&\">")]) {
            $0.element("text", text: text)
            $0.empty("nothing")
        }
        let root = try read(writer.text)
        #expect(root.attribute("x")?.value == "<&\">")
        #expect(root.elements.first?.text == text)
        #expect(root.elements.last?.name == "nothing")
    }
}
