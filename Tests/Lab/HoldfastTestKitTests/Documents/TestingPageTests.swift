import Foundation
import HoldfastTestSupport
import Testing

/// The samples of Sources/Lab/HoldfastTestKit/Documentation.docc/Testing.md are those that the tests run.
@Suite("Documents: the testing page") struct TestingPageTests {
    private func lines(of text: some StringProtocol) -> [String] {
        text.split(separator: "\n").map { $0.trimmingCharacters(in: .whitespaces) }.filter { !$0.isEmpty }
    }

    @Test func everySampleIsCompiledAsPrinted() throws {
        let page = try String(
            contentsOfFile: Repository.path("Sources/Lab/HoldfastTestKit/Documentation.docc/Testing.md"),
            encoding: .utf8)
        let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appending(
            path: "TestingPageSamples.swift")
        let source = lines(of: try String(contentsOf: file, encoding: .utf8))
        let samples = page.components(separatedBy: "```swift\n").dropFirst()
            .map { lines(of: $0.components(separatedBy: "\n```")[0]) }
        #expect(samples.count == 10)
        for sample in samples {
            // A line that begins with an ellipsis stands for code of the app.
            for part in sample.split(whereSeparator: { $0.hasPrefix("…") }) {
                for line in part where line.hasPrefix("import ") { #expect(source.contains(line)) }
                let body = part.filter { !$0.hasPrefix("import ") }
                let isThere = source.indices.contains { source[$0...].starts(with: body) }
                #expect(isThere, "not in TestingPageSamples.swift: \(body.first ?? "")")
            }
        }
    }
}
