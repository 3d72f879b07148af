import Foundation
import HoldfastTestSupport
import HoldfastTransportTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

@Suite("holdfast probe: advice") struct ProbeAdviceTests {
    private func only(_ outcome: ToolOutcome) throws -> ProbeOutput.Probe {
        let output = try ProbeOutput.read(outcome.output)
        #expect(output.exitCode == Int(outcome.status.rawValue))
        return try #require(output.probes.count == 1 ? output.probes.first : nil)
    }

    @Test func reportOnlyMismatchIsAllowedAndReported() async throws {
        let stage = try ProbeStage()
        let policy = try stage.policy(
            try Key(.p256).spkiDigest, stage.backup.spkiDigest, more: ", \"enforcement\": \"reportOnly\"")
        let outcome = try await stage.probe(nil, "--policy", policy)
        #expect(outcome.status == .success, "\(outcome.output)")
        #expect(outcome.output.contains("[onlyReported]"))
        #expect(outcome.output.contains("to accept this server, add this line to"))
    }

    @Test func lineBelongsToSharedSetIfThereIsOne() async throws {
        let stage = try ProbeStage()
        let policy = try stage.folder.file(
            "shared.json",
            """
            {
              "holdfast": 1, "name": "shared",
              "pinSets": {
                "ours": ["\(try Key(.p256).spkiDigest)", "\(stage.backup.spkiDigest)"]
              },
              "domains": [{"host": "\(ProbeStage.host)", "pinSet": "ours"}]
            }
            """)
        let probe = try only(try await stage.probe(nil, "--policy", policy, "--json"))
        let advice = try #require(probe.advice)
        #expect(advice.place.contains("shared.json:4:"), "\(advice.place)")
    }

    /// Writes an Info.plist with these keys for authorities and leaves; `nil` means no such list.
    private func propertyList(
        _ stage: ProbeStage, authorities: [SPKIDigest]?, leaves: [SPKIDigest]?
    ) throws -> String {
        func list(_ name: String, _ pins: [SPKIDigest]?) -> String {
            guard let pins else { return "" }
            let entries = pins.map {
                "\n<dict><key>SPKI-SHA256-BASE64</key><string>\($0.base64)</string></dict>"
            }
            return "<key>\(name)</key><array>\(entries.joined())\n</array>\n"
        }
        return try stage.folder.file(
            "Info.plist",
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>NSAppTransportSecurity</key><dict><key>NSPinnedDomains</key><dict>
            <key>\(ProbeStage.host)</key><dict>
            \(list("NSPinnedCAIdentities", authorities))\(list("NSPinnedLeafIdentities", leaves))
            </dict></dict></dict></dict></plist>
            """)
    }

    private func advice(_ stage: ProbeStage, _ file: String) async throws -> ProbeOutput.Advice {
        let probe = try only(try await stage.probe(nil, "--policy", file, "--json"))
        #expect(probe.verdicts.map(\.code) == ["validPath", "pinMismatch"])
        return try #require(probe.advice)
    }

    /// Leaves and authorities have separate lists, and a key in the wrong one never matches.
    @Test func lineBelongsToTheListWithoutAMatch() async throws {
        let stage = try ProbeStage()
        let other = stage.backup.spkiDigest
        let leaf = try await advice(
            stage, try propertyList(stage, authorities: [stage.intermediate.spkiDigest], leaves: [other]))
        #expect(leaf.place.hasSuffix("NSPinnedLeafIdentities)"), "\(leaf.place)")
        #expect(leaf.place.contains("Info.plist:8:"), "\(leaf.place)")
        #expect(leaf.line.contains(stage.leaf.spkiDigest.base64))

        let authority = try await advice(
            stage, try propertyList(stage, authorities: [other], leaves: [stage.leaf.spkiDigest]))
        #expect(authority.place.hasSuffix("NSPinnedCAIdentities)"), "\(authority.place)")
        #expect(authority.line.contains(stage.intermediate.spkiDigest.base64))

        // A leaf's key in a second list would not suffice, because a key of the first list must still match.
        let alone = try await advice(stage, try propertyList(stage, authorities: [other], leaves: nil))
        #expect(alone.place.hasSuffix("NSPinnedCAIdentities)"), "\(alone.place)")
        #expect(alone.line.contains(stage.intermediate.spkiDigest.base64))
    }

    /// Follows the advice: the server is then accepted.
    @Test func serverIsAcceptedWithTheLine() async throws {
        let stage = try ProbeStage()
        let file = try propertyList(stage, authorities: [stage.backup.spkiDigest], leaves: nil)
        let advice = try await advice(stage, file)
        let text = try String(contentsOfFile: file, encoding: .utf8)
        try text.replacing("<array>", with: "<array>\n" + advice.line).write(
            toFile: file, atomically: true, encoding: .utf8)
        let outcome = try await stage.probe(nil, "--policy", file)
        #expect(outcome.status == .success, "\(outcome.output)")
    }
}
