import HoldfastBase

/// A command or message from a line of input.
enum ChatLine: Hashable, Sendable {
    /// What `/show` does with the surroundings of a search result.
    enum Show: Hashable, Sendable {
        /// Opens those of the result with this number.
        case hit(Int)
        /// Loads messages before or after them.
        case older, newer
        case close
    }

    /// Sends a text.
    case text(String)
    /// Sends a file, with or without a text.
    case file(String, text: String?)
    /// Downloads a file of a row: the row's number, and which of its files.
    case get(Int, file: Int, to: String?)
    /// Presses a button of the newest row that has buttons.
    case press(Int)
    /// Shows older rows.
    case older
    /// Searches for a text; without one, shows the next page of results.
    case search(String?)
    /// Shows the surroundings of a search result.
    case show(Show)
    /// Sends a failed message again, or deletes it.
    case retry(Int)
    case delete(Int)
    /// Rates a question of the newest survey, by number.
    case rate(Int64, question: Int)
    case comment(String)
    case submit
    /// Answers the request to close the conversation.
    case closeThread
    case reopenThread
    /// Loads again what could not be loaded.
    case reload
    /// Prints the chat's status.
    case status
    /// Prints the commands.
    case help
    /// Ends the chat.
    case quit
    /// An empty line.
    case nothing

    /// The commands, as `/help` prints them.
    static let commandList = """
        TEXT                   send a text; //TEXT sends a text that begins with a slash
        /file PATH [TEXT]      send a file; quote a path that contains spaces
        /get ROW [FILE] [PATH] download a file of a row (default: the first file)
        /press BUTTON          press a button, by its number
        /older                 show older messages
        /search [TEXT]         search; without TEXT, show more results
        /show RESULT           show the messages around a search result, by its number
        /show older|newer|close  show more of them; close them
        /retry ROW, /delete ROW  send a failed message again, or delete it
        /rate RATE [QUESTION]  answer a question of the survey (default: the first)
        /comment TEXT, /submit comment on the survey; send the answers
        /close, /reopen        close the conversation, or keep it open
        /reload                load again what could not be loaded
        /status, /help         show the chat's status; show this list
        /quit                  end the chat; so does the end of the input
        """

    /// Parses a line of input. Throws an error with one sentence.
    init(_ line: String) throws(ToolError) {
        guard line.hasPrefix("/") else {
            self = line.allSatisfy(\.isWhitespace) ? .nothing : .text(line)
            return
        }
        guard !line.hasPrefix("//") else {
            self = .text(String(line.dropFirst()))
            return
        }
        let command = line.prefix { !$0.isWhitespace }
        var words = ChatWords(line[command.endIndex...])
        switch command {
        case "/file":
            guard let path = try words.next() else { throw ToolError("/file needs a path") }
            self = .file(path, text: words.rest)
        case "/get":
            let row = try words.row("/get")
            let file = try words.numberIfAny() ?? 1
            self = .get(row, file: file, to: words.rest)
        case "/press": self = .press(try words.number("/press", "the number of a button"))
        case "/older": self = .older
        case "/search": self = .search(words.rest)
        case "/show": self = .show(try words.show())
        case "/retry": self = .retry(try words.row("/retry"))
        case "/delete": self = .delete(try words.row("/delete"))
        case "/rate":
            let rate = try words.number("/rate", "a number")
            self = .rate(Int64(rate), question: try words.numberIfAny() ?? 1)
        case "/comment":
            guard let text = words.rest else { throw ToolError("/comment needs a text") }
            self = .comment(text)
        case "/submit": self = .submit
        case "/close": self = .closeThread
        case "/reopen": self = .reopenThread
        case "/reload": self = .reload
        case "/status": self = .status
        case "/help": self = .help
        case "/quit": self = .quit
        default:
            let name = Printable.text(String(command))
            throw ToolError("there is no command \(name): /help lists the commands, and /\(name) sends it as text")
        }
        if !takesRest, let rest = words.rest {
            throw ToolError("\(command) takes no further argument: '\(Printable.text(rest))'")
        }
    }

    /// Describes which numbers are valid.
    static func choices(_ what: String, _ count: Int, none: String) -> String {
        switch count {
        case 0: none
        case 1: "there is only \(what) 1"
        default: "there are \(what)s 1 to \(count)"
        }
    }

    private var takesRest: Bool {
        switch self {
        case .file, .get, .search, .comment: true
        default: false
        }
    }
}
