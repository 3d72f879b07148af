import ChatServerCore
import ChatWire
import ServerMarkup

/// Renders what the desk shows, for one session. Pages and streams use the same markup.
struct DeskRenderer: Sendable {
    let session: DeskSession
    /// The current time in milliseconds since 1970.
    let now: Int64

    /// The hidden field that proves that a form comes from this desk.
    var formField: HTML { "<input type=\"hidden\" name=\"form\" value=\"\(session.form)\">" }

    /// Returns whether this is the session's own operator.
    func isOwn(_ person: DeskOperator?) -> Bool { person?.id == session.operator.id }

    // MARK: Inbox

    /// Returns a row of the inbox.
    func row(_ row: DeskRow, isCurrent: Bool) -> HTML {
        let seconds = row.waitingSince.map { max(0, (now - $0) / 1_000) }
        let waiting: HTML? = seconds.map { seconds in
            " data-waiting=\"\(seconds)\" data-since=\"\(row.waitingSince ?? 0)\""
        }
        let current: HTML? = isCurrent ? " aria-current=\"page\"" : nil
        let unread: HTML? = row.unread > 0 ? " <span class=\"unread\">\(row.unread) unread</span>" : nil
        let assignee: HTML? = row.assignee.map { person in
            " <span class=\"assignee\">\(isOwn(person) ? "yours" as HTML : "<bdi>\(person.name)</bdi>")</span>"
        }
        let blocked: HTML? = row.isBlocked ? " <span class=\"blocked\">blocked</span>" : nil
        let preview: HTML? = row.preview.map { "<bdi class=\"preview\">\($0)</bdi>" }
        return """
            <li class="conversation" data-id="\(row.clientID)" data-state="\(row.state.rawValue)"\(waiting) \
            data-date="\(row.lastDate ?? 0)"><a href="\(DeskPaths.conversation(row.clientID))"\(current)>\
            <bdi class="name">\(Self.name(of: row))</bdi> \(state(row, seconds))\(unread)\(assignee)\(blocked)\
            \(preview)</a></li>
            """
    }

    private func state(_ row: DeskRow, _ seconds: Int64?) -> HTML {
        guard let seconds else { return "<span class=\"state\">\(row.state.rawValue)</span>" }
        return "<span class=\"state\">waiting <span class=\"wait\">\(DeskTime.span(seconds: seconds))</span></span>"
    }

    /// The client's name, or the id if the app sent no name.
    static func name(of row: DeskRow) -> String { name(row.name, row.clientID) }

    static func name(_ name: String?, _ clientID: String) -> String {
        guard let name, name.contains(where: { !$0.isWhitespace }) else { return clientID }
        return name
    }

    // MARK: A conversation's head

    /// Returns the state of a conversation and the forms that change it.
    func head(_ row: DeskRow) -> HTML {
        let path = DeskPaths.conversation(row.clientID)
        var parts: [HTML] = ["<p id=\"state\">\(sentence(row))</p>"]
        if !isOwn(row.assignee) {
            let label: HTML = row.assignee == nil ? "Assign to me" : "Take over"
            let from: HTML? = row.assignee.map { "<input type=\"hidden\" name=\"from\" value=\"\($0.id)\">" }
            parts.append(
                "<form method=\"post\" action=\"\(path)/claim\">\(formField)\(from)<button id=\"claim\">\(label)</button></form>"
            )
        } else {
            parts.append(
                "<form method=\"post\" action=\"\(path)/release\">\(formField)<button id=\"release\">Release</button></form>"
            )
        }
        if row.state != .closed, row.assignee == nil || isOwn(row.assignee) {
            parts.append(
                """
                <form method="post" action="\(path)/close">\(formField)\
                <button id="close" name="survey" value="no">Close</button> \
                <button id="close-survey" name="survey" value="yes">Close with survey</button></form>
                """)
        }
        return HTML(parts)
    }

    private func sentence(_ row: DeskRow) -> HTML {
        let state: HTML =
            switch row.state {
            case .waiting: "The client waits for an answer."
            case .open: "The conversation is open."
            case .closed: "The conversation is closed."
            }
        let assignee: HTML =
            switch row.assignee {
            case nil: " It is not assigned."
            case let person? where isOwn(person): " It is assigned to you."
            case let person?: " It is assigned to <bdi>\(person.name)</bdi>."
            }
        let blocked: HTML? = row.isBlocked ? " The client is blocked." : nil
        return "\(state)\(assignee)\(blocked)"
    }

    /// Returns the other operators who have this conversation open, as list items.
    func colleagues(_ all: [DeskColleague], in clientID: String?) -> HTML {
        guard let clientID else { return "" }
        let others = all.filter { $0.clientID == clientID && !isOwn($0.operator) }
        return HTML(others.map { "<li data-id=\"\($0.operator.id)\"><bdi>\($0.operator.name)</bdi> is here, too</li>" })
    }
}

/// The paths of the desk.
enum DeskPaths {
    static let root = "/desk"
    static let signIn = root + "/sign-in"
    static let signOut = root + "/sign-out"
    static let search = root + "/search"
    static let events = root + "/events"
    static let files = root + "/files"

    static func conversation(_ clientID: String) -> String {
        root + "/conversations/" + ChatDialect.percentEncoded(clientID)
    }

    /// Returns whether a request may have the size of a file.
    static func takesFiles(_ path: String) -> Bool {
        path.hasPrefix(root + "/conversations/") && path.hasSuffix("/replies")
    }
}

/// Times in words.
enum DeskTime {
    /// Returns a rounded length of time, such as `5 min`.
    static func span(seconds: Int64) -> String {
        switch seconds {
        case ..<60: "\(max(0, seconds)) s"
        case ..<3_600: "\(seconds / 60) min"
        case ..<86_400: "\(seconds / 3_600) h"
        default: "\(seconds / 86_400) d"
        }
    }

    /// Returns an element with a date. The page's script replaces the text by the local time.
    static func element(_ milliseconds: Int64) -> HTML {
        let text = WireTime.text(milliseconds)
        let readable = text.prefix(16).replacing("T", with: " ")
        return "<time datetime=\"\(text)\">\(String(readable)) UTC</time>"
    }
}
