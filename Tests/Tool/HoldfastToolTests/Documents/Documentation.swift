import HoldfastTestSupport
import Foundation

/// The documents of the package.
enum Documentation {
    /// The package's folder.
    static let root = Repository.root

    /// Every Markdown file except the changelog, which describes earlier versions.
    static let documents: [MarkdownDocument] = {
        var paths = ["README.md", "CONTRIBUTING.md", "SECURITY.md"]
        for folder in ["docs", "Sources", "Examples", "Benchmarks", "Fuzz"] {
            let names = FileManager.default.enumerator(atPath: root.path + "/" + folder)?.compactMap { $0 as? String }
            paths += (names ?? []).filter { $0.hasSuffix(".md") }.map { folder + "/" + $0 }
        }
        return paths.sorted().compactMap { path in
            guard let data = FileManager.default.contents(atPath: root.path + "/" + path) else { return nil }
            return MarkdownDocument(path: path, text: String(decoding: data, as: UTF8.self))
        }
    }()

    /// The documents with commands.
    static let withCommands = documents.filter { !$0.commands.isEmpty }
}
