import HoldfastBase
import HoldfastTrust
import HoldfastWebSocket

/// What a line of the input asks for.
enum PromptLine: Hashable, Sendable {
    /// Send a text.
    case text(String)
    /// Send these bytes.
    case binary([UInt8])
    /// Send the contents of a file as one binary message.
    case file(String)
    /// Send a ping.
    case ping
    /// Close the connection.
    case close(WebSocketCloseCode, reason: String)
    /// Tell the commands.
    case help
    /// Nothing: an empty line at a prompt.
    case nothing

    /// The most bytes of a reason: a control frame has room for 125, the code takes two (RFC 6455, 5.5).
    private static let reasonLimit = 123

    /// The commands, as `/help` tells them.
    static let commandList = """
        TEXT                    sends the text; //TEXT one that begins with a slash
        /binary HEX             sends bytes: /binary 00 ff 80
        /file PATH              sends a file as one binary message; a path with spaces goes in quotation marks
        /ping                   sends a ping, and tells how long the pong took
        /close [CODE [REASON]]  closes with this code, 1000 if none is given; so does the end of the input
        /help                   tells this
        """

    /// Reads a line that somebody has typed. Throws one sentence.
    init(_ line: String) throws(ToolError) {
        guard line.hasPrefix("/") else {
            self = line.isEmpty ? .nothing : .text(line)
            return
        }
        guard !line.hasPrefix("//") else {
            self = .text(String(line.dropFirst()))
            return
        }
        let word = line.prefix { !$0.isWhitespace }
        let rest = line[word.endIndex...].drop { $0.isWhitespace }
        switch word {
        case "/binary": self = .binary(try Self.bytes(rest))
        case "/file":
            var words = ChatWords(rest)
            guard let path = try words.next() else { throw ToolError("/file wants a path") }
            guard words.rest == nil else {
                throw ToolError("/file takes one path; a path with spaces goes in quotation marks")
            }
            self = .file(path)
        case "/ping": self = try Self.alone(.ping, word, rest)
        case "/help": self = try Self.alone(.help, word, rest)
        case "/close": self = try Self.close(rest)
        default:
            let name = Printable.text(String(word))
            throw ToolError("there is no command \(name); /help tells them all, and /\(name) sends it as text")
        }
    }

    private static func alone(
        _ command: PromptLine, _ word: Substring, _ rest: Substring
    ) throws(ToolError) -> PromptLine {
        guard rest.allSatisfy(\.isWhitespace) else { throw ToolError("nothing may follow \(word)") }
        return command
    }

    private static func bytes(_ text: Substring) throws(ToolError) -> [UInt8] {
        do throws(HexText.Flaw) {
            return try HexText.bytes(text)
        } catch {
            switch error {
            case .odd: throw ToolError("/binary wants two hexadecimal digits for each byte, and one is left over")
            case .character(let character, let place):
                let shown = Printable.text(String(character))
                throw ToolError("/binary wants hexadecimal digits, and '\(shown)', character \(place), is none")
            }
        }
    }

    private static func close(_ text: Substring) throws(ToolError) -> PromptLine {
        let digits = text.prefix { !$0.isWhitespace }
        guard !digits.isEmpty else { return .close(.normal, reason: "") }
        let reason = String(text[digits.endIndex...].drop { $0.isWhitespace })
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits) else {
            throw ToolError("/close wants a number, and '\(Printable.text(String(digits)))' is none")
        }
        guard let code = WebSocketCloseCode(rawValue: number), code.isAllowedOnWire else {
            throw ToolError(
                "a close frame cannot carry \(number); it can carry 1000 to 1003, 1007 to 1014 and 3000 to 4999")
        }
        guard reason.utf8.count <= reasonLimit else {
            throw ToolError("the reason has \(reason.utf8.count) bytes of UTF-8, and \(reasonLimit) have room")
        }
        return .close(code, reason: reason)
    }
}
