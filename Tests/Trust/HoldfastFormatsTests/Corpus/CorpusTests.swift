import HoldfastFormats
import HoldfastTestSupport
import HoldfastTrust
import Testing

/// Reads the corpus of the fuzz targets, and runs their checks on seeded damage. Reading any bytes must return, each
/// finding must be documented, and lint, writers and comparisons must accept every result.
@Suite("Corpus") struct CorpusTests {
    private static let options = PolicyReadOptions(
        host: "example.com", receivedAt: CertificateFactory.referenceTime,
        keys: Array("KeyA\nsha256/\(TestPins.one)\n".utf8))

    @Test(arguments: PolicyFormat.allCases)
    func fileNamesMatchContents(_ format: PolicyFormat) throws {
        let files = try Corpus.files(of: format)
        #expect(files.contains { $0.isValid } && files.contains { !$0.isValid })
        for file in files {
            let document = PolicyFormats.read(file.bytes, as: format, options: Self.options)
            if file.isValid {
                #expect(document.codes(.error).isEmpty, "\(file): \(document.diagnostics)")
                #expect(throws: Never.self, "\(file)") { try document.policy() }
                #expect(PolicyFormats.read(file.bytes, options: Self.options).format == format, "\(file)")
            } else {
                #expect(throws: PolicyError.self, "\(file)") { try document.policy() }
                #expect(!document.codes(.error).isEmpty, "\(file)")
            }
        }
    }

    /// Every error has a position in a file with lines.
    @Test(arguments: PolicyFormat.allCases)
    func errorsHavePosition(_ format: PolicyFormat) throws {
        for file in try Corpus.files(of: format) {
            for finding in PolicyFormats.read(file.bytes, as: format, options: Self.options).diagnostics {
                #expect(finding.position != nil, "\(file): \(finding)")
            }
        }
    }

    @Test(arguments: PolicyFormat.allCases)
    func readsDamagedFiles(_ format: PolicyFormat) throws {
        var mutator = Mutator(seed: 2026)
        for file in try Corpus.files(of: format) {
            for round in 0..<25 {
                let bytes = mutator.damaged(file.bytes)
                try CorpusTests.exercise(bytes, round.isMultiple(of: 4) ? nil : format, round: round)
            }
        }
    }

    /// Runs the same checks as the fuzz targets.
    static func exercise(_ bytes: [UInt8], _ format: PolicyFormat?, round: Int) throws {
        let document = PolicyFormats.read(bytes, as: format, options: options)
        let findings = PolicyLint.check(document, at: CertificateFactory.referenceTime)
        let target = PolicyFormat.allCases[round % PolicyFormat.allCases.count]
        let result = PolicyFormats.write(
            document, as: target,
            options: PolicyWriteOptions(host: "example.com", time: CertificateFactory.referenceTime))
        for finding in document.diagnostics + findings + result.report {
            let kind = try #require(FindingKind.named(finding.code), "\(finding)")
            #expect(kind.severities.contains(finding.severity), "\(finding)")
        }
        // A written text is read back without errors, except those that the report announces.
        if let text = result.text, !result.losesProtection, !result.report.codes.contains("backup-pin-needed") {
            let again = PolicyFormats.read(Array(text.utf8), as: target, options: options)
            let errors = again.codes(.error).filter { $0 != "no-pinned-domains" }
            #expect(errors.isEmpty, "\(again.diagnostics)\n\(text)\n\(String(decoding: bytes, as: UTF8.self))")
        }
        _ = PolicyLint.checkConfiguration(bytes)
        _ = PolicyLint.compareTransportSecurity(bytes, Array(bytes.reversed()))
        _ = PolicyLint.checkCertificates([("a", bytes)], at: CertificateFactory.referenceTime)
    }
}
