import HoldfastBase
import HoldfastTrust

/// The words behind a command.
struct ChatWords {
    private var text: Substring

    init(_ text: Substring) {
        self.text = text.drop(while: \.isWhitespace)
    }

    /// What is left, without white space around it; `nil` for nothing.
    var rest: String? {
        var rest = text
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest.isEmpty ? nil : String(rest)
    }

    /// The next word, or what is in quotation marks; `nil` at the end.
    mutating func next() throws(ToolError) -> String? {
        guard let first = text.first else { return nil }
        let word: Substring
        if first == "\"" {
            let inside = text.dropFirst()
            guard let end = inside.firstIndex(of: "\"") else { throw ToolError("a quotation mark is not closed") }
            word = inside[..<end]
            text = inside[inside.index(after: end)...]
        } else {
            word = text.prefix { !$0.isWhitespace }
            text = text[word.endIndex...]
        }
        text = text.drop(while: \.isWhitespace)
        return String(word)
    }

    /// The number that must come next.
    mutating func number(_ command: String, _ what: String) throws(ToolError) -> Int {
        try number(command, what, Self.number)
    }

    /// The number of a row, which must come next. Rows in front of the first one count down from 0.
    mutating func row(_ command: String) throws(ToolError) -> Int {
        try number(command, "the number of a row") { word in
            word.hasPrefix("-") ? Self.number(String(word.dropFirst())).map { -$0 } : Self.number(word)
        }
    }

    private mutating func number(
        _ command: String, _ what: String, _ read: (String) -> Int?
    ) throws(ToolError) -> Int {
        guard let word = try next() else { throw ToolError("\(command) wants \(what)") }
        guard let number = read(word) else {
            throw ToolError("\(command) wants \(what), and '\(Printable.text(word))' is none")
        }
        return number
    }

    /// The number that comes next, if it is one.
    mutating func numberIfAny() throws(ToolError) -> Int? {
        var copy = self
        guard let word = try copy.next(), let number = Self.number(word) else { return nil }
        self = copy
        return number
    }

    private static func number(_ word: String) -> Int? {
        guard word.utf8.count <= 9, word.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Int(word)
    }
}
