import Foundation
import Testing

/// Checks that the tests cited in documents exist: `Suite.test`, `Suite`, or a test's function in a table column
/// `test`.
@Suite("Documents: names of tests") struct CitedTestTests {
    /// The names in the test sources.
    private struct Sources {
        /// The names that each file declares.
        private let files: [(path: String, declared: Set<String>)]
        /// The names that any file declares, and the names of files and folders.
        private let all: Set<String>

        init() {
            let keywords: Set<String> = ["func", "struct", "class", "enum", "actor", "extension"]
            var files: [(path: String, declared: Set<String>)] = []
            var all: Set<String> = []
            CitedTestTests.eachFile(in: "Tests") { path, words in
                let declared = Set(zip(words, words.dropFirst()).filter { keywords.contains($0.0) }.map(\.1))
                files.append((path, declared))
                all.formUnion(declared)
                all.formUnion(path.split(separator: "/").map(String.init))
            }
            self.files = files
            self.all = all
        }

        /// Returns whether a type, a function, a folder or a file has this name.
        func have(_ name: String) -> Bool { all.contains(name) }

        /// Returns whether a file of the suite declares the function.
        func have(_ function: String, in suite: String) -> Bool {
            files.contains { file in
                file.declared.contains(function)
                    && (file.declared.contains(suite) || file.path.split(separator: "/").last?.hasPrefix(suite) == true)
            }
        }
    }

    /// Passes each Swift file of a folder to `body`, with its words.
    private static func eachFile(in folder: String, _ body: (_ path: String, _ words: [String]) -> Void) {
        let root = Documentation.root.path + "/" + folder
        for path in FileManager.default.enumerator(atPath: root)?.compactMap({ $0 as? String }) ?? []
        where path.hasSuffix(".swift") {
            let bytes = Array(FileManager.default.contents(atPath: root + "/" + path) ?? Data())
            let words = bytes.split { byte in
                switch byte {
                case 0x30...0x39, 0x41...0x5A, 0x5F, 0x61...0x7A: false
                default: true
                }
            }
            body(path, words.map { String(decoding: $0, as: UTF8.self) })
        }
    }

    @Test func citedTestsExist() {
        let sources = Sources()
        var count = 0
        for document in Documentation.documents {
            for name in Self.names(in: document.prose) {
                count += 1
                let parts = name.text.split(separator: ".").map(String.init)
                let exists = parts.count == 2 ? sources.have(parts[1], in: parts[0]) : sources.have(name.text)
                #expect(exists, "\(document.path):\(name.line): there is no test \(name.text)")
            }
        }
        // The documents cite hundreds of tests.
        #expect(count > 300)
        #expect(!sources.have("noSuchTest", in: "CitedTestTests"))
    }

    @Test func citedPathsExist() {
        for document in Documentation.documents {
            for (index, line) in document.prose.enumerated() {
                for span in Self.spans(of: line) {
                    let folders = ["Tests/", "scripts/", "Sources/", "docs/"]
                    guard folders.contains(where: { span.hasPrefix($0) }) else { continue }
                    let path = Documentation.root.appendingPathComponent(String(span)).path
                    #expect(FileManager.default.fileExists(atPath: path), "\(document.path):\(index + 1): \(span)")
                }
            }
        }
    }

    /// Outside of such tables, a test may be cited by its function only. Test functions have long names, unlike most
    /// others, so every long name must occur in the code.
    @Test func longNamesAreInTheCode() {
        var names: Set<String> = []
        for folder in ["Sources", "Tests", "Benchmarks", "Examples", "Fuzz"] {
            Self.eachFile(in: folder) { names.formUnion($1.filter { $0.utf8.count >= 25 }) }
        }
        for document in Documentation.documents {
            for (index, line) in document.prose.enumerated() {
                for span in Self.spans(of: line)
                where span.count >= 25 && span.first?.isLowercase == true && Self.isName(span) && !span.contains("_") {
                    let exists = names.contains(span)
                    #expect(exists, "\(document.path):\(index + 1): nothing is named \(span)")
                }
            }
        }
    }

    /// Returns the names of tests in a text.
    private static func names(in lines: [String]) -> [(line: Int, text: String)] {
        var names: [(line: Int, text: String)] = []
        var columns: [Int]?
        for (index, line) in lines.enumerated() {
            for span in spans(of: line) {
                let parts = span.split(separator: ".", omittingEmptySubsequences: false)
                guard parts.count < 3, parts.allSatisfy(isName), parts[0].first?.isUppercase == true,
                    parts[0].hasSuffix("Tests")
                else { continue }
                names.append((index + 1, String(span)))
            }
            guard line.hasPrefix("|") else {
                columns = nil
                continue
            }
            let cells = line.replacing("\\|", with: "").split(separator: "|", omittingEmptySubsequences: false)
            guard let tests = columns else {
                columns = cells.indices.filter { ["test", "tests"].contains(cells[$0].trimmed.lowercased()) }
                continue
            }
            for cell in tests where cells.indices.contains(cell) {
                for span in spans(of: cells[cell]) where isName(span) && !span.hasSuffix("Tests") {
                    names.append((index + 1, String(span)))
                }
            }
        }
        return names
    }

    private static func spans(of line: some StringProtocol) -> [String] {
        line.split(separator: "`", omittingEmptySubsequences: false).enumerated()
            .filter { !$0.offset.isMultiple(of: 2) }.map { String($0.element) }
    }

    private static func isName(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" }
    }
}
