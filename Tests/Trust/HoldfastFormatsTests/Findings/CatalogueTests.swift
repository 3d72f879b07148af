import HoldfastTestSupport
import Foundation
import HoldfastFormats
import HoldfastTrust
import Testing

/// Checks that the list of findings is complete and documented, and that each finding occurs.
@Suite("The catalogue of findings") struct CatalogueTests {
    @Test func codesAreUniqueAndWellFormed() {
        let codes = FindingKind.all.map(\.code)
        #expect(Set(codes).count == codes.count)
        for kind in FindingKind.all {
            #expect(kind.code.rawValue.allSatisfy { $0.isLowercase || $0.isNumber || $0 == "-" }, "\(kind.code)")
            #expect(
                !kind.severities.isEmpty && kind.meaning.hasSuffix(".") && kind.remedy.hasSuffix("."), "\(kind.code)")
        }
        #expect(PolicyDiagnostic(.error, .missingBackupPin, "m", path: "").remedy?.isEmpty == false)
        #expect(PolicyDiagnostic(.error, .init(rawValue: "of-someone-else"), "m", path: "").remedy == nil)
    }

    /// Checks that the constants equal the catalogue, which lists the severities of each code.
    @Test func catalogueContainsEveryConstant() throws {
        let files = [
            "HoldfastTrust/Documents/PolicyDiagnostic+Code", "HoldfastFormats/Findings/PolicyDiagnostic+ReadingCodes",
            "HoldfastFormats/Findings/PolicyDiagnostic+LintCodes",
            "HoldfastFormats/Findings/PolicyDiagnostic+ConversionCodes",
        ]
        let constants = try files.flatMap { file in
            let url = Repository.root.appending(path: "Sources/Trust/\(file).swift")
            return try String(contentsOf: url, encoding: .utf8).matches(
                of: /static let \w+ = \w+\(rawValue: "([^"]+)"\)/
            )
            .map { String($0.output.1) }
        }
        #expect(constants.sorted() == FindingKind.all.map(\.code.rawValue).sorted())
    }

    /// Checks that docs/lint.md contains the same texts.
    @Test func documentMatchesCatalogue() throws {
        let text = try String(contentsOf: Repository.root.appendingPathComponent("docs/lint.md"), encoding: .utf8)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }.map(String.init)
        let order: [PolicyDiagnostic.Severity] = [.error, .warning, .note]
        let expected = FindingKind.all.map { kind in
            let severities = order.filter(kind.severities.contains).map(\.rawValue).joined(separator: ", ")
            return "| `\(kind.code)` | \(severities) | \(kind.meaning) | \(kind.remedy) |"
        }
        #expect(Set(rows) == Set(expected), "\(Set(rows).symmetricDifference(expected).sorted())")
        #expect(rows.count == expected.count)
    }

    /// Checks that each sample triggers its finding, and that its corrected version does not.
    @Test(arguments: FindingSample.all)
    func sampleTriggersItsFinding(_ sample: FindingSample) throws {
        let broken = try sample.findings(sample.broken)
        let found = broken.filter { $0.code.rawValue == sample.code }
        #expect(!found.isEmpty, "\(broken)")
        let sound = try sample.findings(sample.sound)
        #expect(!sound.codes.contains(sample.code), "\(sound)")
        for finding in found {
            #expect(finding.remedy != nil)
            #expect(finding.message.count > 10)
        }
    }

    /// These findings need no format, or need a chain, roots, certificates or sixteen megabytes. Other tests cover
    /// them.
    private static let elsewhere: Set<String> = [
        "raw-key-hash", "certificate-hash", "spki-hash", "pin-not-in-chain", "backup-in-chain", "chain-not-compared",
        "system-root-pin",
        "single-certificate", "duplicate-key", "pem-certificate", "certificate-expired", "certificate-expires-soon",
        "certificate-not-yet-valid", "transport-security-differs", "too-large", "too-many-findings", "no-property-list",
        "unknown-format", "no-certificate", "unreadable-certificate", "key-names", "invalid-key",
    ]

    @Test func everyKindHasASample() {
        let codes = FindingKind.all.map(\.code.rawValue)
        let sampled = Set(FindingSample.all.map(\.code)).union(CatalogueTests.elsewhere)
        #expect(sampled == Set(codes), "\(sampled.symmetricDifference(codes))")
    }
}
