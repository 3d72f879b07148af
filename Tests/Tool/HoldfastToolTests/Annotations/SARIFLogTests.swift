import HoldfastLint
import ChatCenter
import Foundation
import Testing

@testable import HoldfastTool

@Suite("SARIF logs") struct SARIFLogTests {
    private func annotation(_ code: String, file: String? = "policy.json", line: Int? = 1, subject: String? = nil)
        -> Annotation
    {
        Annotation(
            level: .warning, code: code, message: "message of \(code)", meaning: "meaning", remedy: "remedy",
            file: file,
            line: line, column: 2, subject: subject)
    }

    private func log(_ annotations: [Annotation]) throws -> SARIFOutput {
        try SARIFOutput.read(SARIFLog(annotations, command: "lint").text)
    }

    @Test func logHasOneRunOfThisVersion() throws {
        let text = SARIFLog([], command: "lint").text
        let object = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
        #expect(object["$schema"] as? String == "https://json.schemastore.org/sarif-2.1.0.json")
        let log = try log([])
        #expect(log.version == "2.1.0")
        #expect(log.runs.count == 1 && log.results.isEmpty)
        #expect(log.runs.first?.tool.driver.name == "holdfast")
        #expect(log.runs.first?.tool.driver.semanticVersion == ChatCenterUISDK.version)
        #expect(log.runs.first?.columnKind == "utf16CodeUnits")
        // Logs of different commands do not replace each other.
        #expect(text.contains("\"holdfast-lint/\""))
        #expect(SARIFLog([], command: "probe").text.contains("\"holdfast-probe/\""))
    }

    @Test func everyResultHasItsRule() throws {
        let log = try log([annotation("a"), annotation("b"), annotation("a", line: 9)])
        let rules = try #require(log.runs.first?.tool.driver.rules)
        #expect(rules.map(\.id) == ["a", "b"])
        #expect(rules.first?.shortDescription?.text == "meaning" && rules.first?.help?.text == "remedy")
        #expect(log.results.map(\.ruleIndex) == [0, 1, 0])
        for result in log.results { #expect(rules[result.ruleIndex].id == result.ruleId) }
        #expect(log.results.first?.level == "warning")
        let place = log.results.last?.locations?.first?.physicalLocation
        #expect(place?.artifactLocation.uri == "policy.json")
        #expect(place?.artifactLocation.uriBaseId == "%SRCROOT%")
        #expect(place?.region?.startLine == 9 && place?.region?.startColumn == 2)
    }

    @Test func levelsHaveSARIFsNames() throws {
        for (level, name) in [(Annotation.Level.error, "error"), (.warning, "warning"), (.note, "note")] {
            var finding = annotation("a")
            finding.level = level
            #expect(try log([finding]).results.first?.level == name)
        }
    }

    @Test func placesMayBeMissing() throws {
        let log = try log([
            annotation("a", file: nil, line: nil), annotation("a", line: nil),
            annotation("a", file: nil, line: nil, subject: "a.example:443"),
        ])
        #expect(log.results[0].locations == nil)
        #expect(log.results[1].locations?.first?.physicalLocation?.region == nil)
        #expect(log.results[2].locations?.first?.physicalLocation == nil)
        #expect(log.results[2].locations?.first?.logicalLocations?.first?.fullyQualifiedName == "a.example:443")
    }

    /// A fingerprint identifies a finding in later runs, in which lines have moved and numbers have changed.
    @Test func fingerprintsAreStable() throws {
        func prints(_ annotations: [Annotation]) throws -> [String] {
            try log(annotations).results.compactMap { $0.partialFingerprints[SARIFLog.fingerprintName] }
        }
        var moved = annotation("a", line: 40, subject: "domains[0]")
        moved.message = "another number of days"
        let first = annotation("a", line: 4, subject: "domains[0]")
        #expect(try prints([first]) == prints([moved]))
        // Everything else changes it, also a second finding of the same kind at the same place.
        let all = try prints([
            first, first, annotation("b", subject: "domains[0]"), annotation("a", subject: "domains[1]"),
            annotation("a", file: "other.json", subject: "domains[0]"), annotation("a"),
        ])
        #expect(Set(all).count == 6)
        #expect(all.allSatisfy { $0.count == 64 })
        #expect(try prints([annotation("a", file: "./policy.json")]) == prints([annotation("a")]))
    }

    @Test(arguments: [
        ("policy.json", "policy.json"), ("./a/b.json", "a/b.json"), ("a b.json", "a%20b.json"),
        ("ü.json", "%C3%BC.json"), ("a:b#c?d%e", "a%3Ab%23c%3Fd%25e"), ("/tmp/x y", "file:///tmp/x%20y"),
        ("../x.json", "../x.json"), ("a\nb", "a%0Ab"),
    ]) func pathsAreURIs(_ path: String, _ uri: String) {
        #expect(SARIFLog.uri(path) == uri)
    }

    @Test func columnsCountUTF16CodeUnits() {
        let columns = SourceColumns(Array("{\"ü\": \"🔒\", \"x\": 1}\r\nsecond\n".utf8))
        // `"x"` begins at byte 16 of the first line, and at UTF-16 code unit 13.
        #expect(columns.utf16Column(line: 1, column: 1) == 1)
        #expect(columns.utf16Column(line: 1, column: 16) == 13)
        #expect(columns.utf16Column(line: 2, column: 3) == 3)
        #expect(columns.utf16Column(line: 3, column: 1) == 1)
        for (line, column) in [(0, 1), (4, 1), (1, 0), (3, 2), (1, 10_001), (-1, -1)] {
            #expect(columns.utf16Column(line: line, column: column) == nil)
        }
        #expect(SourceColumns([]).utf16Column(line: 1, column: 1) == 1)
    }
}
