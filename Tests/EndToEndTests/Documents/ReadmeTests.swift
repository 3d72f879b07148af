import HoldfastTestSupport
import Foundation
import Testing

@Suite("README") struct ReadmeTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private func lines(of text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// Returns the lines of each Swift sample, without its imports.
    private func samples() throws -> [[String]] {
        let readme = try String(contentsOf: Repository.root.appendingPathComponent("README.md"), encoding: .utf8)
        return readme.components(separatedBy: "```swift\n").dropFirst().map { part in
            lines(of: part.components(separatedBy: "\n```")[0])
        }
    }

    @Test func everySampleIsCompiledUnchanged() throws {
        let source = lines(
            of: try String(contentsOf: folder.appendingPathComponent("ReadmeSamples.swift"), encoding: .utf8))
        let samples = try samples().filter { !($0.first?.hasPrefix(".package(") ?? true) }
        #expect(samples.count == 3)
        for sample in samples {
            for line in sample where line.hasPrefix("import ") { #expect(source.contains(line)) }
            let body = sample.filter { !$0.hasPrefix("import ") }
            let isThere = source.indices.contains { source[$0...].starts(with: body) }
            #expect(isThere, "not unchanged in ReadmeSamples.swift: \(body.first ?? "")")
        }
    }
}
