import HoldfastFormats
import HoldfastTrust
import Testing

/// Regression tests for conversions that changed the meaning of a policy without a report.
@Suite("Exactness of conversions") struct ExactnessTests {
    private let two = "\"pins\": [\"\(TestPins.one)\", \"\(TestPins.two)\"]"
    private let other = "\"pins\": [\"\(TestPins.three)\", \"\(TestPins.text(4))\"]"

    private func convert(_ domains: String, _ more: String = "", to format: PolicyFormat, at time: Timestamp? = nil)
        -> ConversionResult
    {
        let document = PolicyFormats.read(
            "{\"holdfast\": 1, \"name\": \"t\", \"backupPins\": \"off\", \"domains\": [\(domains)]\(more)}",
            as: .holdfast)
        return PolicyFormats.write(document, as: format, options: PolicyWriteOptions(time: time))
    }

    private func count(_ needle: String, in result: ConversionResult) -> Int {
        (result.text ?? "").ranges(of: needle).count
    }

    /// Dictionaries and domain-configs have one entry for each host.
    @Test(arguments: [PolicyFormat.trustKit, .android, .chromium])
    func mergesRulesForSameHost(_ format: PolicyFormat) throws {
        let result = convert(
            "{\"host\": \"a.example\", \(two)}, {\"host\": \"a.example\", \"includesSubdomains\": true, \(other)}",
            to: format)
        #expect(result.report.codes.contains("merged"))
        #expect(count("a.example", in: result) == 1)
        let read = PolicyFormats.read(try #require(result.text), as: format)
        #expect(try read.conclusion("a.example").contains("4 pins"))
        #expect(try read.conclusion("b.a.example").contains("4 pins"))
    }

    @Test func pinsWinOverExclusionForSameHost() throws {
        let result = convert(
            """
            {\"host\": \"a.example\", \"excluded\": true}, {\"host\": \"a.example\", \"includesSubdomains\": true, \
            \(two)}
            """,
            to: .trustKit)
        #expect(result.report.codes == ["exclusion-lost"])
        #expect(
            try PolicyFormats.read(try #require(result.text), as: .trustKit).conclusion("a.example").contains("2 pins"))
    }

    @Test func exclusionNeverWidens() throws {
        let parent = "{\"host\": \"a.example\", \"includesSubdomains\": true, \(two)}"
        for (depth, code) in [
            ("oneLabel", "exclusion-lost"), ("anyDepth", "exclusion-lost"), ("apexAndOneLabel", "exclusion-narrowed"),
        ] {
            for format in [PolicyFormat.trustKit, .android, .chromium] {
                let result = convert(
                    "\(parent), {\"host\": \"b.a.example\", \"depth\": \"\(depth)\", \"excluded\": true}", to: format)
                #expect(result.report.codes.contains(code), "\(depth) \(format)")
                let read = PolicyFormats.read(try #require(result.text), as: format)
                #expect(try read.conclusion("d.c.b.a.example").contains("2 pins"), "\(depth) \(format)")
            }
        }
        // An exclusion above a pinned host is dropped, because nothing applies there.
        let above = convert(
            """
            {\"host\": \"a.example\", \"includesSubdomains\": true, \"excluded\": true}, {\"host\": \"b.a.example\", \
            \(two)}
            """,
            to: .trustKit)
        #expect(above.report.codes == ["needless-exclusion"])
        _ = try PolicyFormats.read(try #require(above.text), as: .trustKit).policy()
    }

    @Test func ruleWithoutUsablePinsStillRefuses() throws {
        let foreign = "{\"sha256\": \"\(TestPins.one)\", \"domain\": \"certificate\"}"
        let lost = convert("{\"host\": \"a.example\", \"pins\": [\(foreign)]}", to: .pinnedDomains)
        #expect(lost.report.codes == ["pin-lost"])
        #expect(
            try PolicyFormats.read(try #require(lost.text), as: .pinnedDomains).policy().rules.first?.requiredScopes
                == [.ca])
        let unmet =
            """
            {\"host\": \"a.example\", \"pins\": [{\"sha256\": \"\(TestPins.one)\", \"scope\": \"ca\"}], \
            \"requiredScopes\": [\"any\"]}
            """
        let shut = convert(unmet, to: .pinnedDomains)
        #expect(!(shut.text ?? TestPins.one).contains(TestPins.one))
        #expect(convert(unmet, to: .okHttp).report.codes == ["rule-lost"])
    }

    @Test func overruledRefusalIsError() {
        let refusing = "{\"host\": \"b.a.example\", \"pins\": [], \"requiredScopes\": [\"any\"]}"
        let parent =
            """
            {\"host\": \"a.example\", \"depth\": \"apexAndOneLabel\", \"pins\": [{\"sha256\": \"\(TestPins.one)\", \
            \"scope\": \"ca\"}]}
            """
        let result = convert("\(parent), \(refusing)", to: .pinnedDomains)
        #expect(result.report.codes.contains("refusal-lost"))
        #expect(result.losesProtection)
    }

    @Test func widenedRuleIsNotWeaker() throws {
        let result = convert(
            """
            {\"host\": \"a.example\", \"includesSubdomains\": true, \(two)}, {\"host\": \"b.a.example\", \"depth\": \
            \"oneLabel\", \(other), \"enforcement\": \"reportOnly\", \"expires\": \"2031-01-01T00:00:00Z\"}
            """,
            to: .trustKit)
        #expect(result.report.codes.contains("depth-widened"))
        let rule = try PolicyFormats.read(try #require(result.text), as: .trustKit).policy().rules.last
        #expect(rule?.enforcement == .enforce)
        #expect(rule?.expires == nil)
        // One pin was sufficient for a rule that only reported.
        let thin = convert(
            """
            {\"host\": \"a.example\", \"includesSubdomains\": true, \(two)}, {\"host\": \"b.a.example\", \"depth\": \
            \"oneLabel\", \"pins\": [\"\(TestPins.three)\"], \"enforcement\": \"reportOnly\"}
            """,
            to: .trustKit)
        #expect(thin.report.codes.contains("backup-pin-needed"))
    }

    @Test func anchorsOnlyIsError() throws {
        let plain = "{\"host\": \"a.example\", \(two)}"
        func anchors(_ mode: String) -> String { ", \"anchors\": {\"mode\": \"\(mode)\", \"certificates\": []}" }
        #expect(convert(plain, anchors("only"), to: .trustKit).losesProtection)
        #expect(!convert(plain, anchors("additional"), to: .trustKit).losesProtection)
        #expect(convert(plain, anchors("additional"), to: .trustKit).report.codes == ["anchors-lost"])
    }

    @Test func deniedKeysNeedPinSet() {
        let result = convert(
            "{\"host\": \"a.example\", \"excluded\": true}", ", \"deny\": [\"\(TestPins.three)\"]", to: .chromium)
        #expect(result.report.codes.contains("deny-lost"))
    }

    @Test func expirationsOutsideDateRange() throws {
        var document = PolicyDocument(format: .hpkp, name: "t", semantics: PolicySemantics())
        var domain = PolicyDomain(
            text: "a.example", pattern: HostPattern(try CanonicalHost("a.example")),
            pins: [TestPins.one, TestPins.two].compactMap { SPKIDigest(base64: $0).map { PolicyPin(Pin($0)) } })
        domain.expires = Timestamp(secondsSince1970: .max)
        document.domains = [domain]
        for format in [PolicyFormat.holdfast, .trustKit, .android] {
            let result = PolicyFormats.write(document, as: format)
            #expect(result.report.codes == ["expiry-lost"], "\(format)")
            #expect(try PolicyFormats.read(try #require(result.text), as: format).policy().rules.first?.expires == nil)
        }
        document.domains[0].expires = Timestamp(secondsSince1970: .min)
        for format in [PolicyFormat.holdfast, .trustKit, .android] {
            let text = try #require(PolicyFormats.write(document, as: format).text)
            let end = try #require(try PolicyFormats.read(text, as: format).policy().rules.first?.expires)
            #expect(end < Timestamp(secondsSince1970: 0), "\(format)")
        }
    }

    @Test func headerAge() throws {
        let rule = "{\"host\": \"a.example\", \(two), \"expires\": \"2031-01-02T00:00:00Z\"}"
        let known = convert(rule, to: .hpkp, at: Timestamp(iso8601: "2031-01-01"))
        #expect(known.text?.contains("max-age=86400") == true)
        #expect(known.report.codes == ["relative-expiry"])
        let late = convert(rule, to: .hpkp, at: Timestamp(iso8601: "2031-01-03"))
        #expect(late.text?.contains("max-age=0") == true)
        let unknown = convert(rule, to: .hpkp)
        #expect(unknown.report.codes == ["age-chosen"])
        #expect(unknown.report.map(\.severity) == [.warning])
        let reporting = convert(
            rule.replacing("\"expires\"", with: "\"enforcement\": \"reportOnly\", \"expires\""), to: .hpkp)
        #expect(reporting.report.codes == ["expiry-lost"])
        #expect(reporting.text?.contains("max-age") == false)
    }

    @Test func unionRulesAreFlattened() throws {
        let lists =
            """
            {\"NSPinnedDomains\": {\"a.example\": {\"NSIncludesSubdomains\": true, \"NSPinnedCAIdentities\": \
            [{\"SPKI-SHA256-BASE64\": \"\(TestPins.one)\"}]}, \"b.a.example\": {\"NSPinnedLeafIdentities\": \
            [{\"SPKI-SHA256-BASE64\": \"\(TestPins.two)\"}]}}}
            """
        let result = PolicyFormats.write(PolicyFormats.read(lists, as: nil), as: .chromium)
        #expect(result.report.codes.isSuperset(of: ["precedence-flattened", "every-scope-lost", "scope-widened"]))
        let own = PolicyFormats.write(PolicyFormats.read(lists, as: nil), as: .holdfast)
        #expect(
            try PolicyFormats.read(try #require(own.text), as: .holdfast).conclusion("b.a.example").contains(
                "one match required in each scope"))
    }

    /// A quotation mark in a URI would end the header's string and start another directive.
    @Test func reportURICannotInjectDirectives() throws {
        var document = PolicyFormats.read(
            "{\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"a.example\", \(two)}]}", as: .holdfast)
        document.domains[0].reportURIs = ["https://r.example/\"; max-age=0; x=\"", "https://r.example/\n"]
        for format in [PolicyFormat.hpkp, .trustKit, .android, .chromium] {
            let result = PolicyFormats.write(document, as: format)
            #expect(result.report.codes.contains("report-uris-lost"), "\(format)")
            #expect(result.text?.contains("r.example") == false, "\(format)")
        }
        let json =
            """
            {\"holdfast\": 1, \"name\": \"t\", \"domains\": [{\"host\": \"a.example\", \(two), \"reportURIs\": \
            [\"ftp://x\"]}]}
            """
        #expect(PolicyFormats.read(json, as: .holdfast).codes(.error) == ["invalid-report-uri"])
    }
}
