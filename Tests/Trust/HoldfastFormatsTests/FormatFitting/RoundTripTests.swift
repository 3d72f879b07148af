import HoldfastFormats
import HoldfastTrust
import Testing

@Suite("Round trips") struct RoundTripTests {
    /// A policy that a format can express is read back unchanged, and no loss is reported.
    @Test(arguments: PolicyFormat.allCases)
    func writtenTextIsReadBack(_ format: PolicyFormat) throws {
        for seed in UInt64(0)..<60 {
            var generator = DocumentGenerator(seed: seed)
            let document = try generator.document(for: format)
            let host = document.domains[0].pattern?.host.text
            let result = PolicyFormats.write(
                document, as: format, options: PolicyWriteOptions(prefersJSON: seed.isMultiple(of: 2)))
            let text = try #require(result.text)
            #expect(result.report.filter { $0.severity == .error }.isEmpty, "seed \(seed)")
            let read = PolicyFormats.read(text, as: nil, options: PolicyReadOptions(host: host))
            #expect(read.format == format, "seed \(seed): \(text)")
            let left = try document.policy()
            let right = try read.policy()
            #expect(left.precedence == right.precedence)
            #expect(left.denied == right.denied)
            #expect(left.requiresRuleForEveryHost == right.requiresRuleForEveryHost)
            #expect(left.rules.map(meaning) == right.rules.map(meaning), "seed \(seed): \(text)")
        }
    }

    /// Removes the parts without meaning: HPKP counts from the time of receipt, and names of pin sets are irrelevant.
    private func meaning(_ rule: PinningRule) -> PinningRule {
        var rule = rule
        rule.pinSetName = nil
        if rule.expires.map({ $0.secondsSince1970 > 5_000_000_000 }) == true { rule.expires = nil }
        return rule
    }

    /// A conversion to Holdfast's own format and back preserves every other format.
    @Test(arguments: PolicyFormat.allCases)
    func holdfastFormatKeepsEverything(_ format: PolicyFormat) throws {
        for seed in UInt64(100)..<130 {
            var generator = DocumentGenerator(seed: seed)
            let document = try generator.document(for: format)
            let text = try #require(PolicyFormats.write(document, as: .holdfast).text)
            let policy = try PolicyDocument(holdfastJSON: Array(text.utf8)).policy()
            #expect(policy == (try document.policy()), "seed \(seed): \(text)")
        }
    }
}
