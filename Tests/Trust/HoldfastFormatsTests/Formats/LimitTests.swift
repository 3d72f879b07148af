import HoldfastTestSupport
import Testing

@testable import HoldfastFormats
@testable import HoldfastTrust

/// Everything that grows with the input has a limit with its own error, and no file takes quadratic time.
@Suite("Limits") struct LimitTests {
    private func code(_ bytes: [UInt8], _ format: PolicyFormat) -> Set<String> {
        PolicyFormats.read(bytes, as: format, options: PolicyReadOptions(host: "example.com")).diagnostics.codes
    }

    @Test(arguments: PolicyFormat.allCases)
    func refusesLargeFiles(_ format: PolicyFormat) {
        let bytes = [UInt8](repeating: 0x20, count: PolicyFormats.sizeLimit(of: format) + 1)
        #expect(code(bytes, format) == ["too-large"])
        #expect(code([UInt8](repeating: 0x20, count: PolicyFormats.sizeLimit + 1), .holdfast) == ["too-large"])
    }

    @Test func depth() {
        func nested(_ open: String, _ close: String, _ count: Int) -> [UInt8] {
            Array((String(repeating: open, count: count) + String(repeating: close, count: count)).utf8)
        }
        #expect(code(nested("[", "]", 100_000), .holdfast) == ["invalid-json"])
        #expect(code(nested("{\"a\":", "}", 100_000), .trustKit) == ["invalid-json"])
        #expect(code(nested("[", "]", 100_000), .chromium) == ["invalid-json"])
        #expect(code(nested("<a>", "</a>", 100_000), .android) == ["too-deep"])
        let plist = "<plist>" + String(decoding: nested("<array>", "</array>", 100_000), as: UTF8.self) + "</plist>"
        #expect(code(Array(plist.utf8), .trustKit) == ["too-deep"])
        #expect(PolicyFormats.detect(nested("<a>", "</a>", 100_000)) == nil)
    }

    @Test func countsFindingsBeyondLimit() {
        let lines = String(repeating: "a..b\n", count: DiagnosticCollector.limit)
        let okHttp = PolicyFormats.read(Array(lines.utf8), as: .okHttp)
        #expect(okHttp.diagnostics.count == DiagnosticCollector.limit + 1)
        #expect(okHttp.diagnostics.last?.code == .tooManyFindings)
        #expect(okHttp.diagnostics.last?.severity == .error)
        let keys = (0...DiagnosticCollector.limit).map { "\"k\($0)\": 1" }.joined(separator: ",")
        let json = PolicyDocument(holdfastJSON: Array("{\(keys)}".utf8))
        #expect(json.diagnostics.count == DiagnosticCollector.limit + 1)
        var notes = DiagnosticCollector()
        for number in 0...DiagnosticCollector.limit {
            notes.add(PolicyDiagnostic(.note, .otherSetting, "\(number)", path: ""))
        }
        #expect(notes.all.last?.severity == .warning)
    }

    @Test func longLinesOfPins() {
        let line = "example.com " + String(repeating: "x,", count: OkHttpReader.maximumLine)
        #expect(code(Array(line.utf8), .okHttp) == ["too-large"])
    }

    /// Many hosts share a pin set. The rules would contain the product of both.
    @Test(arguments: [PolicyFormat.android, .chromium]) func hostsTimesPins(_ format: PolicyFormat) {
        let hosts = (0..<1_500).map { "h\($0).example" }
        let pins = (0..<1_500).map { SPKIDigest(hashing: Array("\($0)".utf8)).base64 }
        let text =
            format == .android
            ? "<network-security-config><domain-config>"
                + hosts.map { "<domain>\($0)</domain>" }.joined() + "<pin-set>"
                + pins.map { "<pin digest=\"SHA-256\">\($0)</pin>" }.joined()
                + "</pin-set></domain-config></network-security-config>"
            : #"{"pinsets": [{"name": "s", "static_spki_hashes": ["#
                + pins.map { "\"sha256/\($0)\"" }.joined(separator: ",") + #"]}], "entries": ["#
                + hosts.map { #"{"name": "\#($0)", "pins": "s"}"# }.joined(separator: ",") + "]}"
        let document = PolicyFormats.read(text, as: format)
        #expect(document.domains.count == 1_500)
        #expect(document.codes(.error).isEmpty)
        #expect(throws: PolicyError.self) { try document.policy() }
        #expect(PolicyLint.check(document, at: Timestamp(secondsSince1970: 0)).codes.contains("too-large"))
        let converted = PolicyFormats.write(document, as: .okHttp)
        #expect(converted.text == nil)
        #expect(converted.report.contains { $0.severity == .error })
    }

    /// An index finds the rules of parent hosts. Comparing all pairs would take minutes here.
    @Test func comparesRulesOnlyWithParents() throws {
        var document = PolicyDocument(format: .holdfast, name: "t", semantics: PolicySemantics())
        let pins = [1, 2].map { PolicyPin(Pin(TestPins.digest($0))) }
        for index in 0..<1_500 {
            let host = try CanonicalHost("h\(index).example")
            var domain = PolicyDomain(text: host.text, pattern: HostPattern(host, depth: .apexAndAnyDepth), pins: pins)
            domain.path = "domains[\(index)]"
            document.domains.append(domain)
            var excluded = PolicyDomain(
                text: "x." + host.text, pattern: HostPattern(try CanonicalHost("x." + host.text)))
            excluded.isExcluded = true
            excluded.path = "excluded[\(index)]"
            document.domains.append(excluded)
        }
        #expect(PolicyLint.check(document, at: CertificateFactory.referenceTime).isEmpty)
        for format in [PolicyFormat.trustKit, .okHttp] {
            let result = PolicyFormats.write(document, as: format)
            #expect(try PolicyFormats.read(Array(#require(result.text).utf8), as: format).policy().rules.count >= 1_500)
        }
    }

    /// The index finds the same rules as a comparison of all pairs.
    @Test func indexMatchesComparison() throws {
        var random = SeededGenerator(seed: 3)
        let labels = ["a", "b", "example", "x"]
        for _ in 0..<200 {
            var patterns: [HostPattern] = []
            for _ in 0..<12 {
                let count = Int.random(in: 1...4, using: &random)
                let name = (0..<count).map { _ in labels.randomElement(using: &random) ?? "a" }.joined(separator: ".")
                let pattern = HostPattern(
                    try CanonicalHost(name), depth: HostPattern.Depth.allCases.randomElement(using: &random) ?? .exact)
                if !patterns.contains(pattern) { patterns.append(pattern) }
            }
            let index = PatternIndex(patterns)
            for pattern in patterns {
                let naive = patterns.indices.filter {
                    patterns[$0].isLessSpecific(than: pattern) && patterns[$0].overlaps(pattern)
                }
                #expect(index.beneath(pattern).sorted() == naive)
            }
        }
    }
}
