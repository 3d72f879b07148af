import Testing

/// A shell command in a document.
struct DocumentedCommand: Sendable, CustomTestStringConvertible {
    var document: String
    var line: Int
    /// One line, without its comment.
    var text: String

    var testDescription: String { "\(document):\(line): \(text)" }
}
