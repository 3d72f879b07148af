import HoldfastFormats
import HoldfastTestSupport
import HoldfastTrust
import Testing

/// TrustKit's own validation, row by row. The tests of the TrustKit API cover the rows that a file cannot violate.
@Suite("Validation as in TrustKit") struct TrustKitValidationTests {
    /// The expected outcome of a row.
    enum Outcome: Sendable {
        /// No policy is created, as in TrustKit.
        case error(String)
        /// A policy is created. The row concerns public suffixes, which have no effect on decisions here.
        case lint(String)
        /// No policy is created. The problem is reported when the policy is created, not when the file is read.
        case policy(String)
        case warning(String)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var number: Int
        var broken: String
        /// The same text without the mistake.
        var sound: String
        var outcome: Outcome
        var testDescription: String { "row \(number)" }
    }

    private static let pins = "\"TSKPublicKeyHashes\": [\"\(TestPins.one)\", \"\(TestPins.two)\"]"
    private static func domains(_ text: String, _ more: String = "") -> String {
        "{\"TSKPinnedDomains\": {\(text)}\(more)}".replacing("PINS", with: pins)
    }
    private static let sound = domains("\"good.example\": {PINS}")
    private static let parent = "\"good.example\": {PINS, \"TSKIncludeSubdomains\": true}"
    private static let exclude = "\"kSKExcludeSubdomainFromParentPolicy\": true"

    static let rows = [
        Row(
            number: 1, broken: "{\"TSKSwizzleNetworkDelegates\": false}", sound: sound,
            outcome: .error("no-pinned-domains")),
        Row(number: 1, broken: domains(""), sound: sound, outcome: .error("no-pinned-domains")),
        Row(number: 2, broken: domains("\"192.0.2.1\": {PINS}"), sound: sound, outcome: .lint("trustkit-refuses")),
        Row(number: 2, broken: domains("\"localhost\": {PINS}"), sound: sound, outcome: .lint("trustkit-refuses")),
        Row(number: 2, broken: domains("\"not a host\": {PINS}"), sound: sound, outcome: .error("invalid-host")),
        Row(
            number: 3, broken: domains("\(parent), \"a.good.example\": {\(exclude), PINS}"),
            sound: domains("\(parent), \"a.good.example\": {\(exclude)}"),
            outcome: .error("exclusion-with-other-keys")),
        Row(
            number: 3, broken: domains("\(parent), \"a.good.example\": {\(exclude), \"TSKEnforcePinning\": true}"),
            sound: domains("\(parent), \"a.good.example\": {\(exclude.replacing("true", with: "false")), PINS}"),
            outcome: .error("exclusion-with-other-keys")),
        Row(
            number: 4, broken: domains("\"co.uk\": {PINS, \"TSKIncludeSubdomains\": true}"),
            sound: domains("\"good.co.uk\": {PINS, \"TSKIncludeSubdomains\": true}"), outcome: .lint("public-suffix")),
        Row(
            number: 5, broken: domains("\"good.example\": {PINS, \"TSKReportUris\": [\"no uri\"]}"),
            sound: domains("\"good.example\": {PINS, \"TSKReportUris\": [\"https://r.example/x\"]}"),
            outcome: .error("invalid-report-uri")),
        Row(
            number: 6, broken: domains("\"good.example\": {\"TSKPublicKeyHashes\": [\"AAAA\", \"\(TestPins.two)\"]}"),
            sound: sound, outcome: .error("invalid-pin")),
        Row(
            number: 6,
            broken: domains(
                "\"good.example\": {\"TSKPublicKeyHashes\": [\"\(TestPins.one)AAAA\", \"\(TestPins.two)\"]}"),
            sound: sound, outcome: .error("invalid-pin")),
        Row(
            number: 7, broken: domains("\"good.example\": {\"TSKPublicKeyHashes\": [\"\(TestPins.one)\"]}"),
            sound: domains(
                "\"good.example\": {\"TSKPublicKeyHashes\": [\"\(TestPins.one)\"], \"TSKEnforcePinning\": false}"),
            outcome: .policy("no backup pin")),
        Row(
            number: 7,
            broken: domains("\"good.example\": {\"TSKPublicKeyHashes\": [\"\(TestPins.one)\", \"\(TestPins.one)\"]}"),
            sound: sound, outcome: .policy("no backup pin")),
        Row(
            number: 7, broken: domains("\"good.example\": {\"TSKPublicKeyHashes\": [], \"TSKEnforcePinning\": false}"),
            sound: sound, outcome: .policy("no pin")),
        Row(
            number: 8, broken: domains("\"good.example\": {PINS}, \"a.good.example\": {\(exclude)}"),
            sound: domains("\(parent), \"a.good.example\": {\(exclude)}"), outcome: .error("exclusion-without-parent")),
        Row(
            number: 9, broken: domains("\"good.example\": {PINS}", ", \"TSKSwizzleNetworkDelegates\": true"),
            sound: domains("\"good.example\": {PINS}", ", \"TSKSwizzleNetworkDelegates\": false"),
            outcome: .warning("swizzling")),
        // Row 10 is the use of the shared instance before its creation. Without a configuration there is nothing to
        // read.
        Row(number: 10, broken: "{}", sound: sound, outcome: .error("no-pinned-domains")),
    ]

    @Test(arguments: rows)
    func rowHasExpectedOutcome(_ row: Row) throws {
        let broken = PolicyFormats.read(row.broken, as: .trustKit)
        let lint = PolicyLint.check(broken, at: CertificateFactory.referenceTime)
        switch row.outcome {
        case .error(let code):
            #expect(broken.codes(.error) == [code])
            #expect(broken.diagnostics.first { $0.code.rawValue == code }?.position != nil)
            #expect(throws: PolicyError.self) { try broken.policy() }
        case .policy(let reason):
            let error = #expect(throws: PolicyError.self) { try broken.policy() }
            #expect(error?.problems.first?.reason.contains(reason) == true)
            #expect(error?.problems.first?.position != nil)
        case .lint(let code):
            #expect(lint.codes.contains(code))
            _ = try broken.policy()
        case .warning(let code):
            #expect(broken.codes(.warning) == [code])
            _ = try broken.policy()
        }
        let sound = PolicyFormats.read(row.sound, as: .trustKit)
        #expect(sound.codes(.error).isEmpty)
        #expect(sound.codes(.warning).isEmpty)
        _ = try sound.policy()
        let codes = PolicyLint.check(sound, at: CertificateFactory.referenceTime).codes
        #expect(codes.isDisjoint(with: ["trustkit-refuses", "public-suffix"]))
    }

    @Test func coversAllTenRows() {
        #expect(Set(TrustKitValidationTests.rows.map(\.number)) == Set(1...10))
    }

    /// All mistakes of a file are reported together, each with its position.
    @Test func reportsAllMistakesTogether() throws {
        let text = """
            {"TSKPinnedDomains": {
              "a..b": {PINS},
              "good.example": {"TSKPublicKeyHashes": ["x", "ONE", "TWO"], "TSKExpirationDate": "soon"},
              "c.other.example": {EXCLUDE}
            }}
            """.replacing("PINS", with: Self.pins).replacing("EXCLUDE", with: Self.exclude)
            .replacing("ONE", with: TestPins.one).replacing("TWO", with: TestPins.two)
        let error = #expect(throws: PolicyError.self) { try PolicyFormats.read(text, as: .trustKit).policy() }
        #expect(error?.problems.compactMap(\.position?.line) == [2, 3, 3, 4])
    }

    /// A configuration in memory is read by the same rules, without positions.
    @Test func readsDictionaryInMemory() throws {
        func node(_ pairs: [(String, PropertyNode)]) -> PropertyNode {
            PropertyNode(.dictionary(pairs.map { .init(key: $0.0, value: $0.1) }))
        }
        let pins = PropertyNode(.array([TestPins.one, TestPins.two].map { PropertyNode(.string($0)) }))
        let end = PropertyNode(.date(CertificateFactory.referenceTime))
        func configuration(_ host: String) -> PropertyNode {
            node([
                (
                    "TSKPinnedDomains",
                    node([(host, node([("TSKPublicKeyHashes", pins), ("TSKExpirationDate", end)]))])
                )
            ])
        }
        let document = PolicyFormats.read(propertyList: configuration("good.example"), as: .trustKit)
        #expect(document.name == "trustkit")
        #expect(try document.policy().rules.first?.expires == CertificateFactory.referenceTime)
        #expect(document.domains.first?.position == nil)
        let wrapped = node([("TSKConfiguration", configuration("good.example"))])
        #expect(try PolicyFormats.read(propertyList: wrapped, as: .trustKit).policy().rules.count == 1)
        let broken = PolicyFormats.read(propertyList: configuration("a b"), as: .trustKit, named: "app")
        #expect(broken.codes(.error) == ["invalid-host"])
        #expect(throws: PolicyError.self) { try broken.policy() }
        #expect(PolicyFormats.read(propertyList: wrapped, as: .android).codes(.error) == ["no-property-list"])
    }

    @Test func refusesHostInTwoSpellings() {
        let text = Self.domains("\"good.example\": {PINS}, \"GOOD.example.\": {PINS, \"TSKIncludeSubdomains\": true}")
        #expect(PolicyFormats.read(text, as: .trustKit).codes(.error) == ["duplicate-host"])
    }

    @Test func reportsUnknownKeysExceptInInfoPlist() {
        let inside =
            """
            {"TSKConfiguration": {"TSKPinnedDomains": {"good.example": {PINS}}, "Pinned": 1}, \
            "CFBundleName": "a"}
            """
            .replacing("PINS", with: Self.pins)
        #expect(PolicyFormats.read(inside, as: .trustKit).codes(.warning) == ["unknown-key"])
        let both =
            "{\"TSKPinnedDomains\": {\"good.example\": {PINS}}, \"NSAppTransportSecurity\": {\"NSPinnedDomains\": {}}}"
            .replacing("PINS", with: Self.pins)
        #expect(PolicyFormats.read(both, as: .trustKit).codes(.warning) == ["other-pins"])
        #expect(PolicyFormats.read(both, as: .pinnedDomains).codes(.warning) == [])
        let wrapped = "{\"TSKConfiguration\": {}, \"NSPinnedDomains\": {}}"
        #expect(PolicyFormats.read(wrapped, as: .pinnedDomains).codes(.warning) == ["other-pins"])
    }
}
