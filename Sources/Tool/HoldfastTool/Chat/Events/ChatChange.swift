import HoldfastTrust

/// Something that the person at the terminal, or a program, is told.
enum ChatChange: TerminalEvent, Hashable, Sendable {
    /// The connection. A retry is an attempt after one that failed.
    case connection(String, detail: String?, isRetry: Bool = false)
    /// A row that was not told before. Older ones were there when the chat was opened, or come in front of those that are.
    case row(Int, ChatRow, isOlder: Bool)
    /// A row says something else now: edited, deleted, its files.
    case changed(Int, ChatRow)
    /// A message of the client came further, or failed.
    case state(Int, ChatRow)
    /// A row is not shown any more.
    case gone(Int, id: String)
    /// Who types; `nil` for nobody any more.
    case typing(String?)
    /// Something is wrong.
    case banner(String)
    /// It is not any more.
    case bannerGone(String)
    /// Whether something can be typed, and why not.
    case input(blocked: String?)
    case unread(Int)
    case paging(String)
    /// A survey that can be answered.
    case survey(ChatPicture.Survey)
    /// What was found.
    case search(ChatPicture.Search)
    /// A call, a transfer or the socket failed; what the app would be told. A repeated one was told before, and people are not
    /// told again.
    case failed(String, isRepeated: Bool = false)
    /// A file has come.
    case file(name: String, path: String)
    /// The end.
    case ended(received: Int, failed: Int, unsent: Int)
}

extension ChatChange {
    /// The most characters of a message that a terminal is shown.
    private static let shownCharacters = 16 * 1024

    /// Whether it is part of the conversation, and goes to standard output.
    var isOutput: Bool {
        switch self {
        case .row, .changed, .search: true
        default: false
        }
    }

    /// The lines for a person. Empty: nothing is said of it. Nothing in them can move a cursor.
    var lines: [String] {
        switch self {
        // What it comes to is told when it has come to it.
        case .connection("connecting", _, isRetry: true), .connection("registering", _, isRetry: true): []
        case .connection(let state, let detail, _):
            [detail.map { "connection: \(state), \(Self.safe($0))" } ?? "connection: \(state)"]
        case .row(let number, let row, _): Self.lines(number, row)
        case .changed(let number, let row): Self.lines(number, row)
        case .state(let number, let row): Self.state(number, row)
        case .gone(let number, _): ["row \(number) is gone"]
        case .typing(let name): name.map { ["\($0.isEmpty ? "the other side" : Self.name($0)) is typing"] } ?? []
        case .banner(let text): ["! \(Self.safe(text))"]
        case .bannerGone(let text): ["no longer: \(Self.safe(text))"]
        case .input(let blocked):
            [blocked.map { "nothing can be written: \(Self.safe($0))" } ?? "messages can be written"]
        case .unread(let count): count == 0 ? [] : ["\(count) unread"]
        case .paging(let state): Self.paging(state)
        case .survey(let survey): Self.lines(survey)
        case .search(let search): Self.lines(search)
        case .failed(let reason, let isRepeated): isRepeated ? [] : ["! \(Self.safe(reason))"]
        case .file(let name, let path): ["file \(Self.quoted(name)) is in \(Self.safe(path))"]
        case .ended(let received, let failed, let unsent): Self.end(received, failed, unsent)
        }
    }

    /// What a message says, for a program that reads standard output without `--json`: text alone, on one line, so that none
    /// passes for several. What a terminal would obey is escaped: a pipe may end on one.
    var plainText: String? {
        guard case .row(_, let row, false) = self, case .other = row.author, row.kind == "message" else { return nil }
        return row.text.map { TerminalText.lines($0, limit: .max).lines.joined(separator: "\\n") }
    }

    private static func safe(_ text: String) -> String {
        TerminalText.lines(text, limit: shownCharacters).lines.joined(separator: " ")
    }

    /// The name of somebody else. The angle brackets tell it from what this tool says: `me`, `--` and `!` never have them.
    private static func name(_ name: String) -> String { "<\(safe(name))>" }

    /// Text of the other side within a line of this tool.
    private static func quoted(_ text: String) -> String { "\"\(safe(text))\"" }

    /// Whose row it is, and how far a message of the client came.
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
        // A foreign line must not look like one of the tool's own below it.
        if row.kind != "deleted" { lines += text.dropFirst().map { "    | " + $0 } }
        if omitted > 0 { lines.append("    … and \(omitted) characters more") }
        for (index, file) in row.files.enumerated() {
            let size = file.bytes.map { ", \($0) bytes" } ?? ""
            let error = file.error.map { ": \(safe($0))" } ?? ""
            lines.append("    file \(index + 1): \(safe(file.name ?? "unnamed"))\(size), \(file.state)\(error)")
        }
        for (index, button) in row.buttons.enumerated() { lines.append("    button \(index + 1): \(safe(button))") }
        if let reason = reason(number, row) { lines.append("    failed: \(reason)") }
        return lines
    }

    /// Why the message failed, and what can be done.
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
        case "failed": ["older messages could not be loaded; /older tries again"]
        default: []
        }
    }

    private static func lines(_ survey: ChatPicture.Survey) -> [String] {
        guard survey.kind != "closeRequest" else { return ["is the conversation over? /close or /reopen"] }
        var lines: [String] = []
        for (index, question) in survey.questions.enumerated() {
            let chosen = question.rate.map { ", \($0) chosen" } ?? ""
            lines.append(
                "question \(index + 1): \(safe(question.text ?? "")) (\(question.minimum) to \(question.maximum)\(chosen))"
            )
            for button in question.buttons { lines.append("    \(button.rate): \(safe(button.text))") }
        }
        if survey.asksForComment { lines.append("/comment TEXT says why; /submit sends the answers") }
        return lines
    }

    private static func lines(_ search: ChatPicture.Search) -> [String] {
        let place = search.isLocal ? " on this device" : ""
        let reason = search.failure.map { " (\(safe($0)))" } ?? ""
        let more = search.hasMore ? "; /search shows more" : ""
        let text = safe(search.text)
        var lines = ["\"\(text)\": \(search.rows.count) of \(search.total) found\(place)\(reason)\(more)"]
        lines += search.rows.map { "  \(author(of: $0)): \(safe($0.text ?? ""))" }
        return lines
    }

    private static func end(_ received: Int, _ failed: Int, _ unsent: Int) -> [String] {
        var parts = ["\(received) message\(received == 1 ? "" : "s") received"]
        if failed > 0 { parts.append("\(failed) failed") }
        if unsent > 0 { parts.append("\(unsent) not sent") }
        return ["ended: " + parts.joined(separator: ", ")]
    }
}
