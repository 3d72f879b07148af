import HoldfastFormats
import HoldfastTrust
import Testing

@Suite("TrustKit") struct TrustKitTests {
    private func json(_ domains: String, _ more: String = "") -> PolicyDocument {
        PolicyFormats.read("{\"TSKPinnedDomains\": {\(domains)}\(more)}", as: .trustKit)
    }

    private let pins = "\"TSKPublicKeyHashes\": [\"\(TestPins.one)\", \"\(TestPins.two)\"]"

    @Test func readsAllKeys() throws {
        let document = PolicyFormats.read(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0"><dict>
              <key>CFBundleName</key><string>App</string>
              <key>TSKConfiguration</key><dict>
                <key>TSKSwizzleNetworkDelegates</key><true/>
                <key>TSKIgnorePinningForUserDefinedTrustAnchors</key><true/>
                <key>TSKPinnedDomains</key><dict>
                  <key>example.com</key><dict>
                    <key>TSKPublicKeyHashes</key><array>
                      <string>\(TestPins.one)</string><string>\(TestPins.two)</string></array>
                    <key>TSKEnforcePinning</key><false/>
                    <key>TSKIncludeSubdomains</key><true/>
                    <key>TSKReportUris</key><array><string>https://reports.example.com/</string></array>
                    <key>TSKDisableDefaultReportUri</key><true/>
                    <key>TSKExpirationDate</key><string>2027-06-30</string>
                    <key>TSKPublicKeyAlgorithms</key><array><string>TSKAlgorithmRsa2048</string></array>
                  </dict>
                  <key>open.example.com</key><dict><key>kSKExcludeSubdomainFromParentPolicy</key><true/></dict>
                </dict>
              </dict>
            </dict></plist>
            """, as: nil)
        #expect(document.format == .trustKit)
        #expect(document.codes(.error).isEmpty)
        #expect(document.codes(.warning) == ["swizzling", "user-anchors"])
        #expect(document.codes(.note) == ["deprecated-key"])
        let domain = try #require(document.domains.first)
        #expect(domain.pattern?.depth == .apexAndAnyDepth)
        #expect(domain.enforcement == .reportOnly)
        #expect(domain.expires == Timestamp(iso8601: "2027-06-30T00:00:00Z"))
        #expect(domain.reportURIs == ["https://reports.example.com/"])
        #expect(domain.pins.map(\.pin) == [Pin(TestPins.digest(1)), Pin(TestPins.digest(2))])
        #expect(domain.position == SourcePosition(line: 9, column: 7))
        #expect(try document.conclusion("a.b.example.com").contains("2 pins apply by the rule for example.com"))
        #expect(try document.conclusion("open.example.com").contains("excludes open.example.com"))
        #expect(try document.conclusion("www.open.example.com").contains("2 pins apply"))
        #expect(try document.conclusion("EXAMPLE.com.", at: "2027-06-30").contains("has expired"))
    }

    @Test func defaultReporterIsReportedAndUnused() throws {
        let document = json("\"example.com\": {\(pins)}")
        #expect(document.codes(.note) == ["default-report-uri"])
        #expect(document.domains.first?.reportURIs == [])
        #expect(document.domains.first?.enforcement == .enforce)
        #expect(document.domains.first?.pattern?.depth == .exact)
    }

    /// TrustKit's rules that a file can violate. Lint checks public suffixes.
    @Test(arguments: [
        ("", "no-pinned-domains"),
        ("\"a b\": {PINS}", "invalid-host"),
        (
            """
            "example.com": {PINS, "TSKIncludeSubdomains": true}, "a.example.com": \
            {"kSKExcludeSubdomainFromParentPolicy": true, "TSKEnforcePinning": true}
            """,
            "exclusion-with-other-keys"
        ),
        ("\"example.com\": {PINS, \"TSKReportUris\": [\"not a url\"]}", "invalid-report-uri"),
        ("\"example.com\": {\"TSKPublicKeyHashes\": [\"AAAA\", \"\(TestPins.two)\"]}", "invalid-pin"),
        ("\"example.com\": {\"TSKPublicKeyHashes\": [\"sha256/\(TestPins.one)\", \"\(TestPins.two)\"]}", "invalid-pin"),
        (
            "\"example.com\": {PINS}, \"a.example.com\": {\"kSKExcludeSubdomainFromParentPolicy\": true}",
            "exclusion-without-parent"
        ),
        ("\"example.com\": {PINS, \"TSKExpirationDate\": \"soon\"}", "invalid-date"),
        ("\"example.com\": {PINS, \"TSKEnforcePinning\": \"maybe\"}", "wrong-type"),
        ("\"example.com\": {PINS, \"TSKExcludeSubDomainFromParentPolicies\": true}", "misspelt-exclude-key"),
        ("\"example.com\": 5", "wrong-type"),
    ])
    func violationsAreErrors(_ text: String, _ code: String) {
        let document = json(text.replacing("PINS", with: pins))
        #expect(document.codes(.error).contains(code))
        #expect(throws: PolicyError.self) { try document.policy() }
    }

    @Test func enforcementNeedsTwoPins() throws {
        let twice = "\"TSKPublicKeyHashes\": [\"\(TestPins.one)\", \"\(TestPins.one)\"]"
        #expect(throws: PolicyError.self) { try json("\"example.com\": {\(twice)}").policy() }
        #expect(throws: PolicyError.self) { try json("\"example.com\": {\"TSKEnforcePinning\": false}").policy() }
        _ = try json("\"example.com\": {\(twice), \"TSKEnforcePinning\": false}").policy()
    }

    @Test func readsBothSpellingsOfExcludeKey() throws {
        let parent = "\"example.com\": {\(pins), \"TSKIncludeSubdomains\": true}"
        let documented = json("\(parent), \"a.example.com\": {\"TSKExcludeSubdomainFromParentPolicy\": true}")
        #expect(documented.codes(.warning) == ["misspelt-exclude-key"])
        #expect(try documented.conclusion("a.example.com").contains("excludes a.example.com"))
        let no = json("\(parent), \"a.example.com\": {\(pins), \"kSKExcludeSubdomainFromParentPolicy\": false}")
        #expect(no.codes(.error).isEmpty)
        #expect(try no.conclusion("a.example.com").contains("2 pins apply"))
        let contradiction = json(
            """
            \(parent), \"a.example.com\": {\"TSKExcludeSubdomainFromParentPolicy\": true, \
            \"kSKExcludeSubdomainFromParentPolicy\": false}
            """
        )
        #expect(contradiction.codes(.error).contains("contradiction"))
    }

    @Test func pinsAddressesAndSingleLabels() throws {
        let document = json("\"192.0.2.1\": {\(pins)}, \"localhost\": {\(pins)}")
        #expect(try document.conclusion("192.0.2.1").contains("2 pins apply"))
        let codes = PolicyLint.check(document, at: Timestamp(secondsSince1970: 0)).map(\.code.rawValue)
        #expect(codes.filter { $0 == "trustkit-refuses" }.count == 2)
    }
}
