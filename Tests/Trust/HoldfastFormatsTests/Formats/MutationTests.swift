import HoldfastFormats
import HoldfastTestSupport
import HoldfastTrust
import Testing

/// Reading damaged files must return a result that lint and writers accept.
@Suite("Damaged files") struct MutationTests {
    @Test(arguments: PolicyFormat.allCases)
    func damagedFilesNeverTrap(_ format: PolicyFormat) throws {
        var generator = DocumentGenerator(seed: 7)
        let options = PolicyReadOptions(host: "example.com", receivedAt: CertificateFactory.referenceTime, keys: [0x41])
        var mutator = Mutator(seed: 8)
        var refused = 0
        for round in 0..<60 {
            let document = try generator.document(for: format)
            let bytes = mutator.damaged(Array((PolicyFormats.write(document, as: format).text ?? "").utf8))
            let read = PolicyFormats.read(bytes, as: format, options: options)
            if (try? read.policy()) == nil { refused += 1 }
            try CorpusTests.exercise(bytes, round.isMultiple(of: 3) ? nil : format, round: round)
        }
        // Most damage causes an error. Some damage only changes the contents.
        #expect(refused > 12)
    }
}
