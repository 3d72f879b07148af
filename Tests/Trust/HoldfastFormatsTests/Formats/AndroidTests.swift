import HoldfastFormats
import HoldfastTrust
import Testing

@Suite("Android network security configuration") struct AndroidTests {
    private func document(_ body: String) -> PolicyDocument {
        PolicyFormats.read(
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<network-security-config>\(body)</network-security-config>",
            as: nil)
    }

    private func set(_ bytes: UInt8..., attributes: String = "") -> String {
        "<pin-set\(attributes)>"
            + bytes.map { "<pin digest=\"SHA-256\">\(TestPins.text($0))</pin>" }.joined() + "</pin-set>"
    }

    @Test func nestedConfigurationsInheritAndUnpin() throws {
        let document = document(
            """
            <base-config cleartextTrafficPermitted="false">\
            <trust-anchors><certificates src="system"/></trust-anchors></base-config>
            <domain-config>
              <domain includeSubdomains="true"> Example.com </domain>
              <domain>example.org</domain>
              \(set(1, 2, attributes: " expiration=\"2027-01-31\""))
              <domain-config><domain includeSubdomains="true">inherits.example.com</domain></domain-config>
              <domain-config><domain>own.example.com</domain>\(set(3, 4))</domain-config>
              <domain-config><domain>open.example.com</domain><pin-set/></domain-config>
            </domain-config>
            """)
        #expect(document.format == .android)
        #expect(document.codes(.error).isEmpty)
        #expect(document.codes(.note) == ["other-setting", "local-expiry"])
        let pins = document.domains.map { $0.pins.compactMap(\.pin?.spkiDigest) }
        let first = [TestPins.digest(1), TestPins.digest(2)]
        #expect(pins == [first, first, first, [TestPins.digest(3), TestPins.digest(4)], []])
        #expect(document.domains[2].expires == Timestamp(iso8601: "2027-01-31"))
        #expect(document.domains[3].expires == nil)
        #expect(try document.conclusion("a.b.example.com").contains("rule for example.com"))
        #expect(try document.conclusion("x.example.org").contains("No rule covers"))
        #expect(try document.conclusion("open.example.com").contains("excludes open.example.com"))
        #expect(try document.conclusion("a.example.com", at: "2027-01-31").contains("has expired"))
    }

    @Test func trustKitReportsByDefault() throws {
        let uri = "<report-uri>https://reports.example.com/</report-uri>"
        let quiet = document(
            """
            <domain-config><domain>a.example</domain>\(set(1, 2))\
            <trustkit-config>\(uri)</trustkit-config></domain-config>
            """
        )
        #expect(quiet.domains.first?.enforcement == .reportOnly)
        #expect(quiet.domains.first?.reportURIs == ["https://reports.example.com/"])
        #expect(quiet.codes(.note) == ["default-report-uri", "report-only"])
        let strict = document(
            """
            <domain-config><domain>a.example</domain><domain>b.example</domain>\(set(1, 2))<trustkit-config \
            enforcePinning=\"true\" disableDefaultReportUri=\"true\"/></domain-config>
            """
        )
        #expect(strict.domains.map(\.enforcement) == [.enforce, .enforce])
        #expect(strict.codes(.warning) == ["several-domains"])
        #expect(
            document("<domain-config><domain>a.example</domain>\(set(1))</domain-config>").domains.first?.enforcement
                == .enforce)
    }

    @Test func reportsIgnoredSettings() throws {
        let document = document(
            """
            <domain-config hstsEnforced="true"><domain>a.example</domain>\(set(1, 2))
              <trust-anchors><certificates src="user"/>\
            <certificates src="@raw/mine" overridePins="true"/></trust-anchors>
              <future/></domain-config>
            <debug-overrides><trust-anchors><certificates src="system"/></trust-anchors></debug-overrides>
            """)
        #expect(document.codes(.error).isEmpty)
        #expect(
            document.codes(.warning) == [
                "trust-anchors", "trust-anchors", "override-pins", "unknown-element", "override-pins",
                "debug-overrides",
            ])
        #expect(document.codes(.note) == ["other-setting"])
    }

    @Test(arguments: [
        (
            "<domain-config><domain>a.example</domain><pin-set><pin>PIN</pin></pin-set></domain-config>",
            "missing-digest"
        ),
        (
            "<domain-config><domain>a.example</domain><pin-set><pin digest='SHA-1'>PIN</pin></pin-set></domain-config>",
            "unknown-digest"
        ),
        (
            """
            <domain-config><domain>a.example</domain><pin-set><pin \
            digest='SHA-256'>AAAA</pin></pin-set></domain-config>
            """,
            "invalid-pin"
        ),
        ("<domain-config><domain>a.example</domain><domain>A.example.</domain></domain-config>", "duplicate-host"),
        (
            """
            <domain-config><domain>a.example</domain></domain-config><domain-config>\
            <domain>a.example</domain></domain-config>
            """,
            "duplicate-host"
        ),
        ("<base-config><pin-set/></base-config>", "misplaced-element"),
        ("<debug-overrides><domain>a.example</domain></debug-overrides>", "misplaced-element"),
        ("<domain-config><domain>a.example</domain><pin-set/><pin-set/></domain-config>", "second-element"),
        ("<domain-config><domain>a.example</domain><trust-anchors/><trust-anchors/></domain-config>", "second-element"),
        ("<domain-config/>", "no-domain"),
        (
            """
            <domain-config><domain>a.example</domain><trust-anchors><certificates \
            src='x'/></trust-anchors></domain-config>
            """,
            "unknown-source"
        ),
        ("<base-config/><base-config/>", "second-element"),
        ("<debug-overrides/><debug-overrides/>", "second-element"),
        ("<domain-config><domain>.a.example</domain></domain-config>", "invalid-host"),
        ("<domain-config><domain includeSubdomains='yes'>a.example</domain></domain-config>", "wrong-type"),
        ("<domain-config><domain>a.example</domain><pin-set expiration='soon'/></domain-config>", "invalid-date"),
        (
            """
            <domain-config><domain>a.example</domain><pin-set/><trustkit-config \
            enforcePinning='true'/></domain-config>
            """,
            "empty-pin-set"
        ),
    ])
    func errors(_ body: String, _ code: String) {
        let document = document(
            body.replacing("PIN", with: TestPins.one, maxReplacements: body.contains(">PIN<") ? 1 : 0))
        #expect(document.codes(.error) == [code])
        #expect(throws: PolicyError.self) { try document.policy() }
    }

    /// The most specific configuration applies, even without pins. An inherited requirement of enforcement does not
    /// prevent this.
    @Test func configurationWithoutPinsUnpinsHost() throws {
        let parent = "<domain-config><domain includeSubdomains=\"true\">a.example</domain>\(set(1, 2))</domain-config>"
        let beside = document(
            "\(parent)<domain-config cleartextTrafficPermitted=\"true\"><domain>b.a.example</domain></domain-config>")
        #expect(try beside.conclusion("b.a.example").contains("excludes b.a.example"))
        #expect(try beside.conclusion("c.b.a.example").contains("2 pins"))
        let inside = document(
            """
            <domain-config><domain includeSubdomains=\"true\">a.example</domain>\(set(1, 2))<trustkit-config \
            enforcePinning=\"true\" disableDefaultReportUri=\"true\"/><domain-config><domain>b.a.example</domain>\
            <pin-set/></domain-config></domain-config>
            """
        )
        #expect(inside.codes(.error).isEmpty)
        #expect(try inside.conclusion("b.a.example").contains("excludes b.a.example"))
    }

    @Test func digestNameIgnoresCase() {
        let pin = "<pin digest=\"sha-256\">\(TestPins.one)</pin>"
        #expect(
            document("<domain-config><domain>a.example</domain><pin-set>\(pin)</pin-set></domain-config>").codes(.error)
                .isEmpty)
    }

    @Test func hostsAreCanonicalized() throws {
        let document = document(
            "<domain-config><domain includeSubdomains=\"true\">A.Example.</domain>\(set(1, 2))</domain-config>")
        #expect(try document.conclusion("b.a.EXAMPLE.").contains("2 pins"))
        #expect(try document.conclusion("bada.example").contains("No rule"))
    }

    @Test func errorHasPosition() {
        let document = document("\n  <domain-config>\n    <domain>a..example</domain>\n  </domain-config>")
        #expect(document.diagnostics.first?.position == SourcePosition(line: 4, column: 5))
        #expect(document.diagnostics.first?.path == "domain-config[0].domain[0]")
        #expect(PolicyFormats.read("<other/>", as: .android).codes(.error) == ["wrong-root"])
        #expect(PolicyFormats.read("<network-security-config>", as: nil).codes(.error) == ["malformed-xml"])
    }
}

/// `certificateTransparency` in Android's configuration.
@Suite("Android: certificate transparency") struct AndroidTransparencyTests {
    private static let pins = """
        <pin-set><pin digest="SHA-256">\(String(repeating: "A", count: 43))=</pin>\
        <pin digest="SHA-256">\(String(repeating: "B", count: 42))A=</pin></pin-set>
        """

    private func rules(_ body: String) throws -> [PinningRule] {
        let text = "<network-security-config>\(body)</network-security-config>"
        return try PolicyFormats.read(Array(text.utf8), as: .android, named: "android").policy().rules
    }

    @Test func aConfigurationRequiresChromesPolicy() throws {
        let rules = try rules(
            """
            <domain-config><domain>a.example.com</domain>\(Self.pins)<certificateTransparency enabled="true"/>
            <domain-config><domain>b.example.com</domain></domain-config>
            <domain-config><domain>c.example.com</domain><certificateTransparency enabled="false"/></domain-config>
            </domain-config>
            <domain-config><domain>d.example.com</domain><certificateTransparency enabled="true"/></domain-config>
            """)
        #expect(rules.map(\.transparency) == [.chrome, .chrome, nil, .chrome])
        #expect(rules.map(\.isExcluded) == [false, false, false, true])
    }

    @Test func twoElementsInOneConfigurationAreAnError() {
        let element = "<certificateTransparency enabled=\"true\"/>"
        #expect(throws: PolicyError.self) {
            try rules("<domain-config><domain>a.example.com</domain>\(element)\(element)</domain-config>")
        }
        #expect(throws: PolicyError.self) {
            try rules(
                "<domain-config><domain>a.example.com</domain><certificateTransparency enabled=\"x\"/></domain-config>")
        }
    }

    @Test func theRequirementIsWritten() throws {
        let json = """
            { "holdfast": 1, "name": "t", "domains": [ { "host": "a.example.com", "transparency": "chrome" },
              { "host": "b.example.com", "transparency": "chrome", "pins": [
                "\(String(repeating: "A", count: 43))=", "\(String(repeating: "B", count: 42))A=" ] } ] }
            """
        let document = PolicyDocument(holdfastJSON: Array(json.utf8))
        let written = PolicyFormats.write(document, as: .android)
        let again = try PolicyFormats.read(Array(try #require(written.text).utf8), as: .android, named: "t").policy()
        #expect(again.rules.map(\.transparency) == [.chrome, .chrome])
        #expect(again.rules.map(\.isExcluded) == [true, false])
        #expect(!written.losesProtection)
        #expect(PolicyFormats.write(document, as: .trustKit).losesProtection)
    }
}
