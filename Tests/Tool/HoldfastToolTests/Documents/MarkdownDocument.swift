import Foundation
import Testing

/// A document, its commands, and how a test runs them.
struct MarkdownDocument: Sendable, CustomTestStringConvertible {
    /// The programs whose commands are run.
    static let programs = ["holdfast", "./run", "openssl", "curl"]
    /// The languages of code blocks that may contain commands.
    private static let shells: Set = ["", "sh", "shell", "bash", "console", "text"]

    /// The path within the package.
    let path: String
    /// The lines, with code blocks and HTML comments blanked.
    private(set) var prose: [String] = []
    /// The commands to run: lines of code blocks, and code spans with arguments.
    private(set) var commands: [DocumentedCommand] = []
    /// Code spans that only name a command, such as `holdfast bundle sign`.
    private(set) var mentions: [DocumentedCommand] = []
    private(set) var markers: [CommandMarker] = []
    /// Comments that look like a marker but are invalid.
    private(set) var badMarkers: [String] = []
    /// The contents of the JSON code blocks.
    private(set) var json: [String] = []

    var testDescription: String { path }

    init(path: String, text: String) {
        self.path = path
        readBlocks(text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init))
        readSpans()
    }

    /// Returns how a command is run: the longest marker with which it begins.
    func marker(for command: DocumentedCommand) -> CommandMarker {
        markers.filter { command.text.hasPrefix($0.beginning) }.max { $0.beginning.count < $1.beginning.count }
            ?? CommandMarker()
    }

    // MARK: Code blocks and comments

    private mutating func readBlocks(_ lines: [String]) {
        var language: String?
        var block: [String] = []
        var pending: (line: Int, text: String)?
        for (index, line) in lines.enumerated() {
            let text = line.trimmed
            if let fence = text.behind("```") {
                if language == "json" { json.append(block.joined(separator: "\n")) }
                language = language == nil ? fence : nil
                block = []
                pending = nil
                prose.append("")
            } else if let language {
                prose.append("")
                block.append(line)
                guard Self.shells.contains(language) else { continue }
                let start = pending ?? (index + 1, "")
                let joined = start.text + Self.withoutComment(text)
                if joined.hasSuffix("\\") {
                    pending = (start.line, String(joined.dropLast()))
                    continue
                }
                pending = nil
                let command = joined.behind("$ ") ?? joined
                if Self.isCommand(command) {
                    commands.append(DocumentedCommand(document: path, line: start.line, text: command))
                }
            } else {
                prose.append(readComment(text) ? "" : line)
            }
        }
    }

    /// Returns whether the line is a comment, and stores a marker.
    private mutating func readComment(_ line: String) -> Bool {
        guard line.hasPrefix("<!--"), line.hasSuffix("-->") else { return false }
        guard let text = line.dropFirst(4).dropLast(3).trimmed.behind("command:") else { return true }
        if let marker = CommandMarker(text) { markers.append(marker) } else { badMarkers.append(text) }
        return true
    }

    /// Returns a line without a trailing shell comment.
    private static func withoutComment(_ line: String) -> String {
        var quote: Character?
        var previous: Character = " "
        for index in line.indices {
            let character = line[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "'" || character == "\"" {
                quote = character
            } else if character == "#", previous.isWhitespace {
                return line[..<index].trimmed
            }
            previous = character
        }
        return line.trimmed
    }

    private static func isCommand(_ line: String) -> Bool {
        let parts = line.split(separator: " | ").map { part in
            part.split(separator: " ").first { !$0.contains("=") }.map(String.init) ?? ""
        }
        // A command that pipes into the tool counts as a command of the tool, whatever writes its input.
        return programs.contains(parts.first ?? "") || parts.contains("holdfast") || parts.contains("./run")
    }

    // MARK: Code spans

    private mutating func readSpans() {
        let text = prose.joined(separator: "\n")
        let pieces = text.split(separator: "`", omittingEmptySubsequences: false)
        var line = 1
        for (index, piece) in pieces.enumerated() {
            if !index.isMultiple(of: 2) { readSpan(String(piece), line: line) }
            line += piece.count { $0 == "\n" }
        }
    }

    private mutating func readSpan(_ span: String, line: Int) {
        let words = span.split(whereSeparator: \.isWhitespace).map(String.init)
        guard words.count > 1, Self.programs.contains(words[0]) else { return }
        let command = DocumentedCommand(document: path, line: line, text: words.joined(separator: " "))
        let isName = words.dropFirst().allSatisfy { $0.allSatisfy { $0.isLowercase || $0 == "-" } && $0.first != "-" }
        if isName { mentions.append(command) } else { commands.append(command) }
    }
}
