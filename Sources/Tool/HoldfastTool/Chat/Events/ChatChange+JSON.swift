import HoldfastBase
import HoldfastSystem
import HoldfastTrust

extension ChatChange {
    private typealias Fields = [(String, JSONNode.Value?)]

    /// Returns one JSON object on one line, without a trailing line break. docs/chat.md lists the fields.
    ///
    /// - Parameter time: The time since the command began.
    func json(at time: Duration) -> String {
        let (name, fields) = parts
        let head: Fields = [("event", .string(name)), ("atMillis", .number("\(time.wholeMilliseconds)"))]
        return TerminalSafety.json(JSONWriter.line(.fields(head + fields)))
    }

    /// The event's name and fields.
    private var parts: (name: String, fields: Fields) {
        switch self {
        case .connection(let state, let detail, _):
            ("connection", [("state", .string(state)), ("detail", Self.text(detail))])
        case .row(let number, let row, let isOlder):
            ("row", [("number", Self.number(number)), ("older", .bool(isOlder))] + Self.fields(row))
        case .changed(let number, let row): ("changed", [("number", Self.number(number))] + Self.fields(row))
        case .state(let number, let row):
            ("state", [("number", Self.number(number)), ("id", .string(row.id))] + Self.progress(row))
        case .gone(let number, let id): ("gone", [("number", Self.number(number)), ("id", .string(id))])
        case .typing(let name): ("typing", [("typing", .bool(name != nil)), ("name", Self.text(name))])
        case .banner(let text): ("banner", [("text", .string(text))])
        case .bannerGone(let text): ("bannerGone", [("text", .string(text))])
        case .input(let blocked): ("input", [("blocked", Self.text(blocked))])
        case .unread(let count): ("unread", [("count", Self.number(count))])
        case .paging(let state): ("paging", [("state", .string(state))])
        case .survey(let survey): ("survey", Self.fields(survey))
        case .search(let search): ("search", Self.fields(search))
        case .context(let context, let new): ("context", Self.fields(context, new))
        case .contextGone: ("contextGone", [])
        case .failed(let reason, _): ("failed", [("reason", .string(reason))])
        case .file(let name, let path): ("file", [("name", .string(name)), ("path", .string(path))])
        case .ended(let received, let failed, let unsent):
            ("ended", [("received", received), ("failed", failed), ("unsent", unsent)].map { ($0, Self.number($1)) })
        }
    }

    private static func fields(_ search: ChatPicture.Search) -> Fields {
        [
            ("text", .string(search.text)), ("total", number(search.total)), ("more", .bool(search.hasMore)),
            ("local", .bool(search.isLocal)), ("failure", text(search.failure)),
            ("rows", .list(search.rows.map { .fields(fields($0)) })),
        ]
    }

    private static func fields(_ context: ChatPicture.Context, _ new: [ChatRow]) -> Fields {
        [
            ("target", .string(context.target)), ("older", .string(context.older.name)),
            ("newer", .string(context.newer.name)), ("failure", text(context.failure)),
            ("rows", .list(new.map { .fields(fields($0)) })),
        ]
    }

    private static func fields(_ row: ChatRow) -> Fields {
        var author = "system"
        var name: String?
        switch row.author {
        case .me: author = "me"
        case .other(let other): (author, name) = ("other", other)
        case .system: break
        }
        return [
            ("id", .string(row.id)), ("author", .string(author)), ("name", text(name)), ("kind", .string(row.kind)),
            ("text", text(row.text)), ("quotes", .list(row.quotes.map { .string($0) })),
            ("buttons", .list(row.buttons.map { .string($0) })),
            ("files", .list(row.files.map { .fields(fields($0)) })), ("state", text(row.state)),
            ("failure", text(row.failure)), ("edited", .bool(row.isEdited)), ("time", .number("\(row.time)")),
        ]
    }

    private static func progress(_ row: ChatRow) -> Fields {
        [("state", text(row.state)), ("failure", text(row.failure))]
    }

    private static func fields(_ file: ChatRow.File) -> Fields {
        [
            ("name", text(file.name)), ("type", text(file.type)),
            ("bytes", file.bytes.map { .number("\($0)") } ?? .null), ("state", .string(file.state)),
            ("error", text(file.error)),
        ]
    }

    private static func fields(_ survey: ChatPicture.Survey) -> Fields {
        [
            ("id", .string(survey.id)), ("kind", .string(survey.kind)),
            ("asksForComment", .bool(survey.asksForComment)),
            ("questions", .list(survey.questions.map { .fields(fields($0)) })),
        ]
    }

    private static func fields(_ question: ChatPicture.Survey.Question) -> Fields {
        [
            ("text", text(question.text)), ("minimum", .number("\(question.minimum)")),
            ("maximum", .number("\(question.maximum)")), ("rate", question.rate.map { .number("\($0)") } ?? .null),
            ("buttons", .list(question.buttons.map { .fields(fields($0)) })),
        ]
    }

    private static func fields(_ button: ChatPicture.Button) -> Fields {
        [("text", .string(button.text)), ("rate", .number("\(button.rate)"))]
    }

    private static func text(_ text: String?) -> JSONNode.Value { text.map { .string($0) } ?? .null }

    private static func number(_ number: Int) -> JSONNode.Value { .number("\(number)") }
}
