import HoldfastBase
import HoldfastWebSocket

/// A command or message from a line of input.
enum PromptLine: Hashable, Sendable {
    /// Sends a text.
    case text(String)
    /// Sends these bytes.
    case binary([UInt8])
    /// Sends the contents of a file as one binary message.
    case file(String)
    /// Sends a ping.
    case ping
    /// Closes the connection.
    case close(WebSocketCloseCode, reason: String)
    /// Prints the commands.
    case help
    /// An empty line at a prompt.
    case nothing

    /// The maximum size of a reason in bytes: a control frame's payload has 125, of which the code takes two (RFC 6455,
    /// section 5.5). The prompt refuses a longer reason.
    private static let reasonLimit = 123

    /// The commands, as `/help` prints them.
    static let commandList = """
        TEXT                    send the text; //TEXT sends a text that begins with a slash
        /binary HEX             send bytes: /binary 00 ff 80
        /file PATH              send a file as one binary message; quote a path that contains spaces
        /ping                   send a ping, and show how long the pong took
        /close [CODE [REASON]]  close with this code (default: 1000); so does the end of the input
        /help                   show this list
        """

    /// Parses a line of input. Throws one sentence.
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
            guard let path = try words.next() else { throw ToolError("/file needs a path") }
            guard words.rest == nil else {
                throw ToolError("/file takes one path: quote a path that contains spaces")
            }
            self = .file(path)
        case "/ping": self = try Self.alone(.ping, word, rest)
        case "/help": self = try Self.alone(.help, word, rest)
        case "/close": self = try Self.close(rest)
        default:
            let name = Printable.text(String(word))
            throw ToolError("there is no command \(name): /help lists the commands, and /\(name) sends it as text")
        }
    }

    private static func alone(
        _ command: PromptLine, _ word: Substring, _ rest: Substring
    ) throws(ToolError) -> PromptLine {
        guard rest.allSatisfy(\.isWhitespace) else { throw ToolError("\(word) takes no argument") }
        return command
    }

    private static func bytes(_ text: Substring) throws(ToolError) -> [UInt8] {
        do throws(HexText.Flaw) {
            return try HexText.bytes(text)
        } catch {
            switch error {
            case .odd: throw ToolError("/binary needs two hexadecimal digits for each byte, but one is left over")
            case .character(let character, let place):
                let shown = Printable.text(String(character))
                throw ToolError("/binary needs hexadecimal digits, but character \(place) is '\(shown)'")
            }
        }
    }

    private static func close(_ text: Substring) throws(ToolError) -> PromptLine {
        let digits = text.prefix { !$0.isWhitespace }
        guard !digits.isEmpty else { return .close(.normal, reason: "") }
        let reason = String(text[digits.endIndex...].drop { $0.isWhitespace })
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = UInt16(digits) else {
            throw ToolError("/close needs a number, but got '\(Printable.text(String(digits)))'")
        }
        guard let code = WebSocketCloseCode(rawValue: number), code.isAllowedOnWire else {
            throw ToolError("\(number) is not a valid close code: use 1000 to 1003, 1007 to 1014 or 3000 to 4999")
        }
        guard reason.utf8.count <= reasonLimit else {
            throw ToolError("the reason has \(reason.utf8.count) bytes of UTF-8, but the limit is \(reasonLimit)")
        }
        return .close(code, reason: reason)
    }
}
