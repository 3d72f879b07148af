import HoldfastTrust
import PinReports
import Testing

@testable import PinReportDesk

@Suite("Exports of incidents")
struct ExportTests {
    private func incident(app: String = "com.example.shop", host: String = "api.example.com") -> IncidentSummary {
        IncidentSummary(
            id: 7, key: IncidentKey(app: app, host: host, result: 1, seenPin: "sha256/AA="), state: .cameBack,
            firstSeen: Timestamp(secondsSince1970: 0), lastSeen: Timestamp(secondsSince1970: 60), count: 9_000_000_000,
            clients: 300, isExact: false)
    }

    @Test func theNameOfAnIncompleteFileSaysSo() {
        #expect(IncidentExport.fileName(3, isComplete: true) == "incidents.csv")
        #expect(IncidentExport.fileName(10_000, isComplete: false) == "incidents-first-10000.csv")
    }

    @Test(arguments: [
        "=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", " =1", "\u{FEFF}=1", "\u{200B}@x", "\u{FF1D}1",
        "\u{2212}1",
        "=HYPERLINK(\"https://evil.example\")", "-2+3+cmd|' /C calc'!A0", "\u{A0}=1", "\u{202E}=1",
    ])
    func noCellBeginsWithAFormula(text: String) {
        var cell = CSVText.cell(text)
        if cell.hasPrefix("\"") {
            #expect(cell.hasSuffix("\""))
            cell = String(cell.dropFirst())
        }
        #expect(cell.hasPrefix("'"), "\(cell.debugDescription)")
        #expect(!cell.utf8.contains { $0 < 0x20 })
    }

    @Test func harmlessCellsAreUnchanged() {
        for text in ["", "api.example.com", "2031-03-15T12:00:00Z", "sha256/ab+=", "a=b", "1"] {
            #expect(CSVText.cell(text) == text)
        }
        #expect(CSVText.cell("a,b") == "\"a,b\"")
        #expect(CSVText.cell("a\"b") == "\"a\"\"b\"")
        #expect(CSVText.cell("a\u{1B}b") == "a\u{FFFD}b")
    }

    @Test func everyLineHasTheSameColumns() {
        let text = IncidentExport.csvHeader + IncidentExport.csv([incident(), incident(app: "=cmd|x")])
        let lines = text.split(separator: "\r\n")
        #expect(lines.count == 3)
        #expect(lines.allSatisfy { $0.split(separator: ",", omittingEmptySubsequences: false).count == 11 })
        #expect(lines[1].hasPrefix("7,com.example.shop,api.example.com,failedNoMatchingPin,sha256/AA=,cameBack,"))
        #expect(lines[2].contains("'=cmd|x"))
    }

    @Test func theJSONHasTheExactNumbers() throws {
        let text = JSONWriter.line(IncidentExport.json([incident()], next: "60.7"))
        #expect(text.contains("9000000000"))
        #expect(text.contains("\"next\": \"60.7\"") || text.contains("\"next\":\"60.7\""))
        let detail = IncidentDetail(
            summary: incident(), appVersions: [FacetCount(value: "</script>", count: 1), FacetCount(other: 2)])
        let one = try JSONReader.read(
            Array(JSONWriter.text(IncidentExport.json(detail, [IncidentDiagnosis(.unknown, evidence: ["x"])])).utf8))
        guard case .object(let members) = one.value else { throw WrongShape() }
        #expect(members.map(\.key).contains("diagnoses"))
    }

    private struct WrongShape: Error {}
}
