import Foundation
import HoldfastTestSupport
import HoldfastTrust
import Testing

@testable import HoldfastTool

/// Compares docs/probe.md with the tool's output.
@Suite("holdfast probe: the document") struct ProbeDocumentTests {
    private let document: String

    init() throws {
        document = try String(contentsOf: Repository.root.appending(path: "docs/probe.md"), encoding: .utf8)
    }

    @Test func documentContainsEveryCode() {
        for code in ProbeWarning.Code.allCases.map(\.rawValue) + ProbeEvent.Kind.allCases.map(\.rawValue) {
            #expect(document.contains("`\(code)`"), "\(code)")
        }
    }

    @Test func documentContainsEveryMetric() async throws {
        let stage = try ProbeStage()
        let folder = try TemporaryFolder()
        _ = try folder.file("a.cer", stage.leaf.certificateDER)
        let expires = ProbeStage.now.advanced(bySeconds: 86_400)
        let policy = try stage.policy(
            stage.leaf.spkiDigest, stage.backup.spkiDigest, more: ", \"expires\": \"\(expires)\"")
        let texts = [
            try await stage.probe(nil, "--policy", policy, "--format", "prometheus").output,
            try await stage.probe(nil, "--trusted-certificates", folder.path, "--format", "prometheus").output,
            await stage.run(["\(ProbeStage.host):1", "--format", "prometheus"]).output,
            ProbeMetrics(
                [], changes: [ProbeEvent.Tally(target: try ProbeTarget("a.example"), kind: .lost): 1]
            ).text,
        ]
        let names = Set(
            texts.joined().split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
                .compactMap { $0.split(separator: " ").dropFirst(2).first.map(String.init) })
        #expect(names.count == 16)
        for name in names { #expect(document.contains("`\(name)`"), "\(name)") }
    }

    @Test func documentContainsEveryJSONField() async throws {
        let stage = try ProbeStage()
        let policy = try stage.policy(try Key(.p256).spkiDigest, stage.backup.spkiDigest)
        let folder = try TemporaryFolder()
        _ = try folder.file("a.cer", stage.root.certificateDER)
        let texts = [
            try await stage.probe(nil, "--policy", policy, "--json").output,
            try await stage.probe(nil, "--trusted-certificates", folder.path, "--json").output,
            await stage.run(["\(ProbeStage.host):1", "--json"]).output,
        ]
        var fields: Set<String> = []
        func collect(_ value: Any) {
            if let object = value as? [String: Any] {
                fields.formUnion(object.keys)
                object.values.forEach(collect)
            }
            if let array = value as? [Any] { array.forEach(collect) }
        }
        for text in texts { collect(try JSONSerialization.jsonObject(with: Data(text.utf8))) }
        #expect(fields.count > 40)
        for field in fields { #expect(document.contains("`\(field)`"), "\(field)") }
    }

    @Test func documentContainsEveryOption() async {
        let help = await ToolOutcome.of("probe", "--help").output
        let options = help.split(separator: "\n").compactMap { line -> String? in
            let word = line.drop { $0 == " " }.prefix { $0 != " " }
            return word.hasPrefix("--") ? String(word) : nil
        }
        #expect(options.count > 15)
        for option in options { #expect(document.contains(option), "\(option)") }
    }
}
