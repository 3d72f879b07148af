import HoldfastBase

/// Splits the arguments of a command.
struct ChatWords {
    private var text: Substring

    init(_ text: Substring) {
        self.text = text.drop(while: \.isWhitespace)
    }

    /// The remaining text, without surrounding white space; `nil` if there is none.
    var rest: String? {
        var rest = text
        while rest.last?.isWhitespace == true { rest.removeLast() }
        return rest.isEmpty ? nil : String(rest)
    }

    /// Returns the next word or the text in quotation marks; `nil` at the end.
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

    /// Returns the required number.
    mutating func number(_ command: String, _ what: String) throws(ToolError) -> Int {
        try number(command, what, Self.number)
    }

    /// Returns the required row number. Rows before the first one count down from 0.
    mutating func row(_ command: String) throws(ToolError) -> Int {
        try number(command, "the number of a row") { word in
            word.hasPrefix("-") ? Self.number(String(word.dropFirst())).map { -$0 } : Self.number(word)
        }
    }

    /// Returns what `/show` does.
    mutating func show() throws(ToolError) -> ChatLine.Show {
        let words: [String: ChatLine.Show] = ["older": .older, "newer": .newer, "close": .close]
        var copy = self
        guard let word = try copy.next(), let show = words[word] else {
            return .hit(try number("/show", "the number of a search result, older, newer or close"))
        }
        self = copy
        return show
    }

    private mutating func number(
        _ command: String, _ what: String, _ read: (String) -> Int?
    ) throws(ToolError) -> Int {
        guard let word = try next() else { throw ToolError("\(command) needs \(what)") }
        guard let number = read(word) else {
            throw ToolError("\(command) needs \(what), but got '\(Printable.text(word))'")
        }
        return number
    }

    /// Returns the next word if it is a number.
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
