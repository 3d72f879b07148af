import HoldfastTestSupport
import Foundation
import Testing

@Suite("README") struct ReadmeTests {
    private let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent()

    private func lines(of text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    /// The lines of each Swift sample of a page that begins with its imports.
    private func samples(of page: String) throws -> [[String]] {
        let text = try String(contentsOf: Repository.root.appendingPathComponent(page), encoding: .utf8)
        return text.components(separatedBy: "```swift\n").dropFirst()
            .map { lines(of: $0.components(separatedBy: "\n```")[0]) }
            .filter { $0.first?.hasPrefix("import ") ?? false }
    }

    @Test(arguments: [
        "README.md", "Sources/Transport/HoldfastTransport/Documentation.docc/HTTP.md", "docs/embed-chat.md",
    ])
    func compilesTheSampleAsPrinted(page: String) throws {
        let source = lines(
            of: try String(contentsOf: folder.appendingPathComponent("ReadmeSamples.swift"), encoding: .utf8))
        let samples = try samples(of: page)
        #expect(samples.count == 1)
        for sample in samples {
            for line in sample where line.hasPrefix("import ") { #expect(source.contains(line)) }
            let body = sample.filter { !$0.hasPrefix("import ") }
            let isThere = source.indices.contains { source[$0...].starts(with: body) }
            #expect(isThere, "\(page): not in ReadmeSamples.swift: \(body.first ?? "")")
        }
    }

    @Test func fitsInOneHundredLines() throws {
        let readme = try String(contentsOf: Repository.root.appendingPathComponent("README.md"), encoding: .utf8)
        #expect(readme.split(separator: "\n", omittingEmptySubsequences: false).count <= 101)
    }
}
