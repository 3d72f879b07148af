/// A change that is shown to the user at the terminal, or to a program.
enum ChatChange: TerminalEvent, Hashable, Sendable {
    /// The connection's state. `isRetry` marks an attempt after a failed one.
    case connection(String, detail: String?, isRetry: Bool = false)
    /// A new row. Older rows existed when the chat was opened, or are inserted before the others.
    case row(Int, ChatRow, isOlder: Bool)
    /// A row's content changed: edited, deleted, or its files changed.
    case changed(Int, ChatRow)
    /// The state of one of the user's messages changed.
    case state(Int, ChatRow)
    /// A row was removed.
    case gone(Int, id: String)
    /// The name of who is typing; `nil` if typing has stopped.
    case typing(String?)
    /// A banner appeared: something is wrong.
    case banner(String)
    /// A banner disappeared.
    case bannerGone(String)
    /// Whether the user can write messages, and the reason if not.
    case input(blocked: String?)
    case unread(Int)
    case paging(String)
    /// A survey that can be answered.
    case survey(ChatPicture.Survey)
    case search(ChatPicture.Search)
    /// The surroundings of a search result, and those of their rows that were not shown before.
    case context(ChatPicture.Context, new: [ChatRow])
    /// The surroundings were closed.
    case contextGone
    /// A call, a transfer or the socket failed, as an app is told. A repeated failure is not printed for people again.
    case failed(String, isRepeated: Bool = false)
    /// A file was downloaded.
    case file(name: String, path: String)
    /// The chat has ended.
    case ended(received: Int, failed: Int, unsent: Int)
}

extension ChatChange {
    /// The maximum number of characters of a message that a terminal shows.
    private static let shownCharacters = 16 * 1024

    /// Whether this is part of the conversation, and goes to standard output.
    var isOutput: Bool {
        switch self {
        case .row, .changed, .search, .context: true
        default: false
        }
    }

    /// The lines for a person; empty if nothing is printed. They contain no control characters that move the cursor.
    var lines: [String] {
        switch self {
        // Only the result of a retry is printed.
        case .connection("connecting", _, isRetry: true), .connection("registering", _, isRetry: true): []
        case .connection(let state, let detail, _):
            [detail.map { "connection: \(state), \(Self.safe($0))" } ?? "connection: \(state)"]
        case .row(let number, let row, _): Self.lines(number, row)
        case .changed(let number, let row): Self.lines(number, row)
        case .state(let number, let row): Self.state(number, row)
        case .gone(let number, _): ["row \(number) was removed"]
        case .typing(let name): name.map { ["\($0.isEmpty ? "the other side" : Self.name($0)) is typing"] } ?? []
        case .banner(let text): ["! \(Self.safe(text))"]
        case .bannerGone(let text): ["resolved: \(Self.safe(text))"]
        case .input(let blocked):
            [blocked.map { "messages cannot be written: \(Self.safe($0))" } ?? "messages can be written"]
        case .unread(let count): count == 0 ? [] : ["\(count) unread"]
        case .paging(let state): Self.paging(state)
        case .survey(let survey): Self.lines(survey)
        case .search(let search): Self.lines(search)
        case .context(let context, let new): Self.lines(context, new)
        case .contextGone: ["the messages around the result are closed"]
        case .failed(let reason, let isRepeated): isRepeated ? [] : ["! \(Self.safe(reason))"]
        case .file(let name, let path): ["file \(Self.quoted(name)) is in \(Self.safe(path))"]
        case .ended(let received, let failed, let unsent): Self.end(received, failed, unsent)
        }
    }

    /// The message for a program that reads standard output without `--json`: only its text, on one line, so that one
    /// message is never read as several. Terminal control characters are escaped, because a pipe may end at a terminal.
    var plainText: String? {
        guard case .row(_, let row, false) = self, case .other = row.author, row.kind == "message" else { return nil }
        return row.text.map { TerminalText.lines($0, limit: .max).lines.joined(separator: "\\n") }
    }

    private static func safe(_ text: String) -> String {
        TerminalText.lines(text, limit: shownCharacters).lines.joined(separator: " ")
    }

    /// Formats another participant's name. Angle brackets distinguish it from this tool's own output: `me`, `--` and
    /// `!` never have them.
    private static func name(_ name: String) -> String { "<\(safe(name))>" }

    /// Quotes text from the other side inside a line of this tool.
    private static func quoted(_ text: String) -> String { "\"\(safe(text))\"" }

    /// Formats the row's author, and the state of one of the user's messages.
    private static func author(of row: ChatRow) -> String {
        switch row.author {
        case .me: row.state.map { "me (\($0))" } ?? "me"
        case .other(let other): name(other)
        case .system: "--"
        }
    }

    private static func lines(_ number: Int, _ row: ChatRow) -> [String] {
        let who = author(of: row)
        var lines: [String] = []
        for quote in row.quotes { lines.append("  > \(safe(quote))") }
        let (text, omitted) = TerminalText.lines(row.text ?? "", limit: shownCharacters)
        let edited = row.isEdited ? " (edited)" : ""
        let body = row.kind == "deleted" ? "(deleted)" : text[0]
        let kind = row.kind == "message" || row.kind == "notice" || row.kind == "deleted" ? "" : " [\(safe(row.kind))]"
        lines.append("[\(number)] \(who):\(kind) \(body)\(edited)")
        // Indent the text's further lines, so that none looks like a line of this tool.
        if row.kind != "deleted" { lines += text.dropFirst().map { "    | " + $0 } }
        if omitted > 0 { lines.append("    … and \(omitted) more characters") }
        for (index, file) in row.files.enumerated() {
            let size = file.bytes.map { ", \($0) bytes" } ?? ""
            let error = file.error.map { ": \(safe($0))" } ?? ""
            lines.append("    file \(index + 1): \(safe(file.name ?? "unnamed"))\(size), \(file.state)\(error)")
        }
        for (index, button) in row.buttons.enumerated() { lines.append("    button \(index + 1): \(safe(button))") }
        if let reason = reason(number, row) { lines.append("    failed: \(reason)") }
        return lines
    }

    /// The reason why the message failed, and what to do.
    private static func reason(_ number: Int, _ row: ChatRow) -> String? {
        row.failure.map { "\(safe($0)). /retry \(number) sends it again, /delete \(number) deletes it" }
    }

    private static func state(_ number: Int, _ row: ChatRow) -> [String] {
        guard let state = row.state else { return [] }
        return ["[\(number)] \(state)\(reason(number, row).map { ": \($0)" } ?? "")"]
    }

    private static func paging(_ state: String) -> [String] {
        switch state {
        case "atBeginning": ["the conversation begins here"]
        case "failed": ["older messages could not be loaded. Try again: /older"]
        default: []
        }
    }

    private static func lines(_ survey: ChatPicture.Survey) -> [String] {
        guard survey.kind != "closeRequest" else { return ["close the conversation? /close or /reopen"] }
        var lines: [String] = []
        for (index, question) in survey.questions.enumerated() {
            let chosen = question.rate.map { ", \($0) chosen" } ?? ""
            lines.append(
                "question \(index + 1): \(safe(question.text ?? "")) "
                    + "(\(question.minimum) to \(question.maximum)\(chosen))")
            for button in question.buttons { lines.append("    \(button.rate): \(safe(button.text))") }
        }
        if survey.asksForComment { lines.append("/comment TEXT adds a comment; /submit sends the answers") }
        return lines
    }

    private static func lines(_ search: ChatPicture.Search) -> [String] {
        let place = search.isLocal ? " on this device" : ""
        let reason = search.failure.map { " (\(safe($0)))" } ?? ""
        let more = search.hasMore ? "; /search shows more" : ""
        let text = safe(search.text)
        var lines = ["\"\(text)\": \(search.rows.count) of \(search.total) found\(place)\(reason)\(more)"]
        for (index, row) in search.rows.enumerated() {
            lines.append("  result \(index + 1): \(author(of: row)): \(safe(row.text ?? ""))")
        }
        if !search.rows.isEmpty { lines.append("/show RESULT shows the messages around a result") }
        return lines
    }

    private static func lines(_ context: ChatPicture.Context, _ new: [ChatRow]) -> [String] {
        var lines = [context.older == .atEnd ? "around the result, from the beginning:" : "around the result:"]
        for row in new {
            let mark = row.id == context.target ? "result" : "      "
            let files = row.files.isEmpty ? "" : " [\(row.files.count) file\(row.files.count == 1 ? "" : "s")]"
            let body = row.kind == "deleted" ? "(deleted)" : safe(row.text ?? "")
            lines.append("  \(mark) \(author(of: row)): \(body)\(files)")
        }
        if let failure = context.failure { lines.append("    more messages could not be loaded: \(safe(failure))") }
        lines += more(context)
        return lines
    }

    /// The commands that continue the surroundings.
    private static func more(_ context: ChatPicture.Context) -> [String] {
        guard context.older != .conversation else { return [] }
        let commands = [(context.older, "/show older"), (context.newer, "/show newer")]
        let words = commands.filter { $0.0 != .atEnd }.map(\.1) + ["/show close"]
        return [words.joined(separator: ", ")]
    }

    private static func end(_ received: Int, _ failed: Int, _ unsent: Int) -> [String] {
        var parts = ["\(received) message\(received == 1 ? "" : "s") received"]
        if failed > 0 { parts.append("\(failed) failed") }
        if unsent > 0 { parts.append("\(unsent) not sent") }
        return ["ended: " + parts.joined(separator: ", ")]
    }
}
