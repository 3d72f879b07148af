import HoldfastBase
import HoldfastTrust

/// What a line of the input asks for.
enum ChatLine: Hashable, Sendable {
    /// Send a text.
    case text(String)
    /// Send a file, with or without a text.
    case file(String, text: String?)
    /// Fetch a file of a row: its number, and which of its files.
    case get(Int, file: Int, to: String?)
    /// Press a button of the newest row that has some.
    case press(Int)
    /// Show older rows.
    case older
    /// Look for a text; without one, the next page of what was found.
    case search(String?)
    /// Send a failed message again, or forget it.
    case retry(Int)
    case delete(Int)
    /// Rate a question of the newest survey, by its place.
    case rate(Int64, question: Int)
    case comment(String)
    case submit
    /// Answer the question whether the conversation is over.
    case closeThread
    case reopenThread
    /// Load again what could not be loaded.
    case reload
    /// Tell how things stand.
    case status
    /// Tell the commands.
    case help
    /// End.
    case quit
    /// Nothing: an empty line.
    case nothing

    /// The commands, as `/help` tells them.
    static let commandList = """
        TEXT                   sends the text; //TEXT one that begins with a slash
        /file PATH [TEXT]      sends a file; a path with spaces goes in quotation marks
        /get ROW [FILE] [PATH] fetches a file of a row, the first if none is named
        /press BUTTON          presses a button, by its number
        /older                 shows older messages
        /search [TEXT]         looks for a text; without one, shows more of what was found
        /retry ROW, /delete ROW  sends a failed message again, or deletes it
        /rate RATE [QUESTION]  answers a question of the survey, the first if none is named
        /comment TEXT, /submit a comment on the survey; sends the answers
        /close, /reopen        answers whether the conversation is over
        /reload                loads again what could not be loaded
        /status, /help         tell how things stand; tells this
        /quit                  ends; so does the end of the input
        """

    /// Reads a line that somebody has typed. Throws one sentence.
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
            guard let path = try words.next() else { throw ToolError("/file wants a path") }
            self = .file(path, text: words.rest)
        case "/get":
            let row = try words.row("/get")
            let file = try words.numberIfAny() ?? 1
            self = .get(row, file: file, to: words.rest)
        case "/press": self = .press(try words.number("/press", "the number of a button"))
        case "/older": self = .older
        case "/search": self = .search(words.rest)
        case "/retry": self = .retry(try words.row("/retry"))
        case "/delete": self = .delete(try words.row("/delete"))
        case "/rate":
            let rate = try words.number("/rate", "a number")
            self = .rate(Int64(rate), question: try words.numberIfAny() ?? 1)
        case "/comment":
            guard let text = words.rest else { throw ToolError("/comment wants a text") }
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
            throw ToolError("there is no command \(name); /help tells them all, and /\(name) sends it as text")
        }
        if !takesRest, let rest = words.rest {
            throw ToolError("nothing may follow \(command) here: '\(Printable.text(rest))'")
        }
    }

    /// Which numbers there are.
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
