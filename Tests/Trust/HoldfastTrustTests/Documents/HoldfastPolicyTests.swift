import HoldfastTestSupport
@testable import HoldfastTrust
import Testing

/// Tests the strict reader of Holdfast's policy format, which reports all errors together with their positions.
@Suite("Policy format")
struct HoldfastPolicyTests {
    private func pin(_ number: UInt8) -> String { SPKIDigest(hashing: [number]).description }

    private func problems(_ text: String) -> [String] {
        do throws(PolicyError) {
            _ = try PinningPolicy(holdfastJSON: Array(text.utf8))
            return []
        } catch {
            return error.problems.map { "\($0.position?.description ?? "-") \($0.path)" }
        }
    }

    @Test func readsWholePolicy() throws {
        let text = """
            { "holdfast": 1, "name": "shop", "unlistedHosts": "refuse",
              "pinSets": { "main": ["\(pin(1))", {"sha256": "\(SPKIDigest(hashing: [2]).base64)", "scope": "ca"}] },
              "domains": [
                { "host": "BÜCHER.example.", "includesSubdomains": true, "pinSet": "main",
                  "expires": "2032-01-01T02:00:00+02:00", "reportURIs": ["https://r.example/"] },
                { "host": "open.xn--bcher-kva.example", "excluded": true },
                { "host": "*.beta.example", "pinSet": "main", "enforcement": "reportOnly" },
                { "host": "192.0.2.7", "pins": ["\(pin(3))", "\(pin(4))"] } ],
              "deny": ["\(pin(9))"] }
            """
        let policy = try PinningPolicy(holdfastJSON: Array(text.utf8))
        #expect(policy.requiresRuleForEveryHost)
        let first = try #require(policy.rules(covering: try CanonicalHost("a.b.bücher.example")).first)
        #expect(first.host.text == "xn--bcher-kva.example")
        #expect(first.expires == Timestamp(iso8601: "2032-01-01T00:00:00Z"))
        #expect(first.pins.pins.contains(Pin(SPKIDigest(hashing: [2]), scope: .ca)))
        #expect(policy.rules(covering: try CanonicalHost("open.bücher.example")).first?.isExcluded == true)
        #expect(policy.rules(covering: try CanonicalHost("x.beta.example")).first?.enforcement == .reportOnly)
        #expect(policy.rules(covering: try CanonicalHost("x.y.beta.example")).isEmpty)
        #expect(policy.rules(covering: try CanonicalHost("192.0.2.7")).count == 1)
        #expect(policy.denied.pins == [Pin(SPKIDigest(hashing: [9]))])
    }

    @Test func reportsAllErrorsWithPosition() {
        let text = """
            { "holdfast": 1,
              "nmae": "x",
              "domains": [
                { "host": "exa mple.com", "pins": ["\(pin(1))", "\(pin(2))"] },
                { "host": "b.example", "pins": ["short", "\(pin(2))"] },
                { "host": "c.example", "pins": ["\(pin(1))"] },
                { "host": "d.example", "pinSet": "nowhere" },
                { "host": "e.example", "pins": ["\(pin(1))", "\(pin(2))"], "expires": "2032-01-01" },
                { "host": "f.example", "pins": [] } ] }
            """
        let found = Set(problems(text))
        let places = [
            "2:3 nmae", "4:15 domains[0].host", "5:37 domains[1].pins[0]", "6:5 domains[2]", "7:5 domains[3]",
            "9:5 domains[5]",
        ]
        #expect(found.isSuperset(of: places), "\(found)")
        #expect(problems(text).contains { $0.hasSuffix("domains[4].expires") })
    }

    @Test(arguments: [
        "", "{", "[1,]", "{\"a\":1,\"a\":2}", "{} {}", "nul", "\"\\ud800\"", "01", "1.", "{\"a\" 1}", "\"\u{1}\"",
    ])
    func reportsInvalidJSON(_ text: String) {
        #expect(PolicyDocument(holdfastJSON: Array(text.utf8)).diagnostics.map(\.code) == [.invalidJSON])
    }

    @Test func limitsNestingAndSize() {
        let deep = String(repeating: "[", count: 100) + String(repeating: "]", count: 100)
        #expect(PolicyDocument(holdfastJSON: Array(deep.utf8)).diagnostics.map(\.code) == [.invalidJSON])
    }

    @Test func writtenPolicyIsReadBack() throws {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            let domains = (0..<Int.random(in: 1...5, using: &generator)).map { index in
                let depth = HostPattern.Depth.allCases.randomElement(using: &generator) ?? .exact
                let pins = (0..<3).map { _ in
                    PolicyPin(
                        Pin(
                            SHA256Hash(hashing: [UInt8.random(in: 0...255, using: &generator)]),
                            domain: Pin.Domain.allCases.randomElement(using: &generator) ?? .spki,
                            scope: Pin.Scope.allCases.randomElement(using: &generator) ?? .any))
                }
                let host = try? CanonicalHost("h\(index).example")
                return PolicyDomain(
                    text: "h\(index).example", pattern: host.map { HostPattern($0, depth: depth) }, pins: pins,
                    everyScopeMustMatch: Bool.random(using: &generator),
                    enforcement: Bool.random(using: &generator) ? .enforce : .reportOnly,
                    expires: Bool.random(using: &generator) ? Timestamp(secondsSince1970: 1_900_000_000) : nil)
            }
            let document = PolicyDocument(
                format: .holdfast, name: "n", semantics: PolicySemantics(backupPins: .off), domains: domains)
            let again = PolicyDocument(holdfastJSON: Array(document.holdfastJSON.utf8))
            #expect(try again.policy() == document.policy())
        }
    }

    @Test func mutatedPoliciesDoNotTrap() {
        let text = Array(
            """
            {"holdfast":1,"name":"a","pinSets":{"m":["\(pin(1))"]},\
            "domains":[{"host":"é.example","pinSet":"m"}],"anchors":{"certificates":["x"]}}
            """.utf8)
        var generator = SeededGenerator(seed: 21)
        for _ in 0..<3_000 {
            var bytes = text
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                switch Int.random(in: 0..<3, using: &generator) {
                case 0:
                    bytes[Int.random(in: bytes.indices, using: &generator)] = .random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: Int.random(in: bytes.indices, using: &generator))
                default:
                    bytes.insert(
                        .random(in: 0...255, using: &generator), at: Int.random(in: bytes.indices, using: &generator))
                }
            }
            _ = try? PinningPolicy(holdfastJSON: bytes)
        }
    }

    @Test func explanationNamesApplicableRule() throws {
        let text = """
            {"holdfast": 1, "name": "shop", "domains": [
              {"host": "example.com", "includesSubdomains": true, "pins": ["\(pin(1))", "\(pin(2))"]},
              {"host": "status.example.com", "excluded": true}]}
            """
        let policy = try PinningPolicy(holdfastJSON: Array(text.utf8))
        let now = CertificateFactory.referenceTime
        let pinned = policy.explain(try CanonicalHost("WWW.example.com."), at: now)
        #expect(pinned.conclusion.contains("2 pins apply by the rule for example.com"))
        let excluded = policy.explain(try CanonicalHost("status.example.com"), at: now)
        #expect(excluded.considered.map(\.counts) == [true, false])
        #expect(excluded.conclusion.contains("excludes status.example.com"))
        #expect(policy.explain(try CanonicalHost("other.example"), at: now).conclusion.contains("No rule covers"))
    }
}
