import HoldfastFormats
import HoldfastTrust
import Testing

@Suite("Losses of conversions") struct ConversionReportTests {
    private let two = "\"pins\": [\"\(TestPins.one)\", \"\(TestPins.two)\"]"

    private func convert(_ domains: String, _ more: String = "", to format: PolicyFormat, host: String? = nil)
        -> ConversionResult
    {
        let document = PolicyFormats.read(
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [\(domains)]\(more)}", as: .holdfast)
        return PolicyFormats.write(document, as: format, options: PolicyWriteOptions(host: host))
    }

    private func codes(_ domains: String, _ more: String = "", to format: PolicyFormat, host: String? = nil) -> Set<
        String
    > {
        convert(domains, more, to: format, host: host).report.codes
    }

    @Test func commonFeaturesConvertWithoutFindings() {
        let plain = "{\"host\": \"example.com\", \(two)}"
        for format in [PolicyFormat.holdfast, .trustKit, .android, .okHttp] {
            #expect(convert(plain, to: format).report.isEmpty, "\(format)")
        }
        #expect(codes(plain, to: .curl) == ["scope-narrowed"])
        #expect(codes(plain, to: .pinnedDomains) == ["scope-chosen"])
        #expect(codes(plain, to: .hpkp) == ["age-chosen"])
        #expect(codes(plain, to: .chromium) == ["key-names"])
    }

    @Test func depths() {
        func rule(_ depth: String) -> String { "{\"host\": \"example.com\", \"depth\": \"\(depth)\", \(two)}" }
        #expect(codes(rule("oneLabel"), to: .trustKit) == ["depth-widened"])
        #expect(codes(rule("anyDepth"), to: .okHttp) == ["depth-widened"])
        let split = convert(rule("apexAndOneLabel"), to: .okHttp)
        #expect(split.report.isEmpty)
        #expect(
            split.text?.split(separator: "\n").map { $0.prefix(12) } == [
                "example.com ", "example.com ", "*.example.co", "*.example.co",
            ])
        let narrowed = convert(rule("apexAndAnyDepth"), to: .pinnedDomains)
        #expect(narrowed.losesProtection)
        #expect(narrowed.report.codes.contains("depth-narrowed"))
    }

    @Test func scopesAndKindsOfHashes() {
        func rule(_ pins: String) -> String { "{\"host\": \"example.com\", \"pins\": [\(pins)]}" }
        let leaf = "{\"sha256\": \"\(TestPins.one)\", \"scope\": \"leaf\"}"
        let authority = "{\"sha256\": \"\(TestPins.two)\", \"scope\": \"ca\"}"
        let raw = "{\"sha256\": \"\(TestPins.three)\", \"domain\": \"rawKey\"}"
        #expect(codes(rule("\(leaf), \(authority)"), to: .trustKit) == ["scope-widened"])
        #expect(codes(rule("\(leaf), \(authority)"), to: .pinnedDomains) == ["both-scopes-needed"])
        #expect(codes(rule("\(leaf), \(authority)"), to: .curl) == ["pin-lost"])
        #expect(codes(rule("\(leaf), \(raw)"), to: .okHttp) == ["pin-lost", "scope-widened"])
        let gone = convert(rule("\(raw), {\"sha256\": \"\(TestPins.one)\", \"domain\": \"certificate\"}"), to: .android)
        #expect(gone.report.codes == ["pin-lost", "rule-lost"])
        #expect(gone.losesProtection)
    }

    @Test func timesReportsAndExclusions() {
        let rule =
            """
            {\"host\": \"example.com\", \"includesSubdomains\": true, \(two), \"expires\": \"2027-01-31T12:00:00Z\", \
            \"enforcement\": \"reportOnly\", \"reportURIs\": [\"https://r.example/\"]}
            """
        let excluded = "{\"host\": \"open.example.com\", \"excluded\": true}"
        #expect(
            codes("\(rule), \(excluded)", to: .okHttp) == [
                "expiry-lost", "report-only-lost", "report-uris-lost", "exclusion-lost",
            ])
        #expect(codes("\(rule), \(excluded)", to: .trustKit) == ["expiry-rounded"])
        #expect(convert(rule, to: .trustKit).text?.contains("2027-02-01") == true)
        #expect(codes("\(rule), \(excluded)", to: .android) == ["expiry-rounded", "local-expiry", "report-only-lost"])
        #expect(
            codes("{\"host\": \"example.com\", \(two)}, {\"host\": \"example.org\", \"excluded\": true}", to: .trustKit)
                == ["needless-exclusion"])
    }

    @Test func settingsOutsideRules() {
        let plain = "{\"host\": \"example.com\", \(two)}"
        let more = ", \"unlistedHosts\": \"refuse\", \"deny\": [\"\(TestPins.three)\"]"
        let result = convert(plain, more, to: .okHttp)
        #expect(result.report.codes == ["deny-lost", "unlisted-hosts-lost"])
        #expect(result.losesProtection)
        #expect(codes(plain, ", \"deny\": [\"\(TestPins.three)\"]", to: .chromium) == ["deny-narrowed", "key-names"])
        #expect(
            codes(
                "{\"host\": \"example.com\", \"pinSet\": \"a\"}",
                ", \"pinSets\": {\"a\": [\"\(TestPins.one)\", {\"sha256\": \"\(TestPins.two)\", \"comment\": \"c\"}]}",
                to: .trustKit) == ["names-lost", "comments-lost"])
    }

    @Test func oneHostAmongSeveral() {
        let rules =
            "{\"host\": \"example.com\", \"includesSubdomains\": true, \(two)}, {\"host\": \"example.org\", \(two)}"
        #expect(convert(rules, to: .hpkp).text == nil)
        #expect(codes(rules, to: .hpkp) == ["several-hosts"])
        #expect(codes(rules, to: .hpkp, host: "example.net") == ["no-rule"])
        let header = convert(rules, to: .hpkp, host: "EXAMPLE.com.")
        #expect(header.report.codes == ["other-hosts", "age-chosen"])
        #expect(header.text?.contains("includeSubDomains") == true)
        #expect(
            convert(rules, to: .curl, host: "www.example.com").text
                == "sha256//\(TestPins.one);sha256//\(TestPins.two)\n")
    }

    @Test func precedence() throws {
        let lines =
            """
            **.example.com sha256/\(TestPins.one)\n**.example.com sha256/\(TestPins.two)\nwww.example.com \
            sha256/\(TestPins.three)\n
            """
        let union = PolicyFormats.write(PolicyFormats.read(lines, as: .okHttp), as: .android)
        #expect(union.report.codes == ["precedence-flattened"])
        let read = PolicyFormats.read(try #require(union.text), as: .android)
        #expect(try read.conclusion("www.example.com").contains("3 pins"))
        #expect(try read.conclusion("example.com").contains("2 pins"))
        let specific =
            """
            {\"host\": \"example.com\", \"includesSubdomains\": true, \(two)}, {\"host\": \"www.example.com\", \
            \"pins\": [\"\(TestPins.three)\", \"\(TestPins.text(4))\"]}
            """
        #expect(codes(specific, to: .okHttp) == ["precedence-changed"])
    }

    @Test func refusesInvalidDocument() {
        let broken = convert("{\"host\": \"example.com\", \"pins\": [\"\(TestPins.one)\"]}", to: .trustKit)
        #expect(broken.text == nil)
        #expect(broken.losesProtection)
        let unreadable = PolicyFormats.write(PolicyFormats.read("{", as: .trustKit), as: .holdfast)
        #expect(unreadable.text == nil)
        #expect(unreadable.report.codes == ["invalid-json"])
    }

    @Test func emptyListKeepsMeaning() throws {
        let refusing = PolicyFormats.read(
            "{\"NSPinnedDomains\": {\"example.com\": {\"NSPinnedCAIdentities\": []}}}", as: nil)
        let result = PolicyFormats.write(refusing, as: .holdfast)
        #expect(try PolicyDocument(holdfastJSON: Array((result.text ?? "").utf8)).policy() == refusing.policy())
        #expect(PolicyFormats.write(refusing, as: .trustKit).report.codes.contains("rule-lost"))
        let unpinned = PolicyFormats.read(
            """
            <network-security-config><domain-config><domain>a.example</domain>\
            <pin-set/></domain-config></network-security-config>
            """,
            as: nil)
        let text = try #require(PolicyFormats.write(unpinned, as: .holdfast).text)
        #expect(text.contains("\"excluded\": true"))
    }
}
