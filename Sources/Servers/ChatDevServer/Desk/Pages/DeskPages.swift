import ChatServerCore
import ChatWire
import ServerMarkup

/// The pages of the desk. Each works without JavaScript; the script makes it follow the conversations.
struct DeskPages: Sendable {
    let renderer: DeskRenderer
    let canned: [CannedAnswer]
    /// The maximum number of characters of a message.
    let textLength: Int

    /// A conversation on a page, with what its forms contain.
    struct Opened {
        var conversation: DeskConversation
        /// The canned answer to insert.
        var canned: Int?
        /// The text of a reply that was refused.
        var text: String?
        /// The id of the next reply, so that a form that is sent twice sends one message.
        var nextID: String
        /// The id of the next note.
        var nextNoteID: String
    }

    // MARK: Pages

    /// Returns the inbox, with a conversation if one is open.
    func desk(_ inbox: DeskInbox, _ opened: Opened?, notice: String? = nil) -> HTML {
        let title: HTML =
            opened.map { "\(DeskRenderer.name(of: $0.conversation.row)) · Operator desk" } ?? "Operator desk"
        let main: HTML = opened.map { conversation($0, notice) } ?? welcome(notice)
        let follows: HTML = """
            <meta name="desk-form" content="\(renderer.session.form)">\
            <meta name="desk-position" content="\(inbox.position.description)">\
            <meta name="desk-now" content="\(renderer.now)">
            """
        let client: HTML? = opened.map { "<meta name=\"desk-client\" content=\"\($0.conversation.row.clientID)\">" }
        return Self.document(
            title: title, head: "\(follows)\(client)",
            body: """
                <a class="skip" href="#conversation">Skip to the conversation</a>\(banner(query: ""))\
                <p id="stale" role="status" hidden>The server has not been heard for 20 seconds. This page may be old.</p>\
                <p id="ended" role="alert" hidden></p>\
                <div class="columns">\(list(inbox, current: opened?.conversation.row.clientID))\
                <main id="conversation" tabindex="-1">\(main)</main></div>
                """)
    }

    private func banner(query: String) -> HTML {
        """
        <header class="top"><h1><a href="\(DeskPaths.root)">Operator desk</a></h1>\
        <form id="desk-search" role="search" method="get" action="\(DeskPaths.search)">\
        <label for="query">Search</label> <input id="query" name="q" type="search" maxlength="200" dir="auto" \
        value="\(query)"> <button>Search</button></form>\
        <p id="who">Signed in as <bdi>\(renderer.session.operator.name)</bdi></p>\
        <form method="post" action="\(DeskPaths.signOut)">\(renderer.formField)<button id="sign-out">Sign out</button></form>\
        </header>
        """
    }

    private func list(_ inbox: DeskInbox, current: String?) -> HTML {
        let rows = inbox.rows.map { renderer.row($0, isCurrent: $0.clientID == current) }
        let more: HTML? =
            inbox.total > inbox.rows.count
            ? "<p class=\"more\">\(inbox.total - inbox.rows.count) more conversations: use the search.</p>" : nil
        let none: HTML? = inbox.rows.isEmpty ? "<p class=\"none\">No client has connected yet.</p>" : nil
        return """
            <nav id="inbox" aria-labelledby="inbox-title"><h2 id="inbox-title">Inbox</h2>\(none)<ol>\(rows)</ol>\(more)</nav>
            """
    }

    private func welcome(_ notice: String?) -> HTML {
        "<h2>No conversation is open</h2>\(Self.notice(notice))<p>Select a conversation in the inbox.</p>"
    }

    private static func notice(_ text: String?) -> HTML {
        "<p id=\"notice\" role=\"alert\"\(text == nil ? " hidden" as HTML : "")>\(text ?? "")</p>"
    }

    // MARK: The conversation

    private func conversation(_ opened: Opened, _ notice: String?) -> HTML {
        let conversation = opened.conversation
        let row = conversation.row
        let path = DeskPaths.conversation(row.clientID)
        let older: HTML? =
            conversation.hasOlder
            ? conversation.messages.first.map {
                "<a id=\"older\" href=\"\(path)?before=\($0.messageID)\">Older messages</a>"
            }
            : nil
        let newer: HTML? =
            conversation.hasNewer
            ? conversation.messages.last.map {
                "<a id=\"newer\" href=\"\(path)?after=\($0.messageID)\">Newer messages</a> <a href=\"\(path)\">Newest messages</a>"
            } : nil
        let items = renderer.timeline(conversation.messages, conversation.notes)
        let typing: HTML = conversation.draft.map { "The client is typing: <bdi>\($0)</bdi>" } ?? ""
        return """
            <h2><bdi>\(DeskRenderer.name(of: row))</bdi></h2>\(Self.notice(notice))\
            <div id="head">\(renderer.head(row))</div>\
            <ul id="colleagues" aria-live="polite" aria-label="Colleagues in this conversation">\
            \(renderer.colleagues(conversation.colleagues, in: row.clientID))</ul>\
            \(about(conversation))\(older)\
            <div id="messages" role="log" aria-label="Messages" tabindex="0" \
            data-end="\(!conversation.hasNewer ? "true" : "false")"><ol>\(items)</ol></div>\
            \(newer)<p id="typing" aria-live="polite">\(typing)</p>\
            \(read(conversation, path))\(reply(opened, path))\(noteForm(opened, path))
            """
    }

    private func about(_ conversation: DeskConversation) -> HTML {
        var facts: [HTML] = ["<div><dt>Client</dt><dd><bdi>\(conversation.row.clientID)</bdi></dd></div>"]
        if let locale = conversation.locale {
            facts.append("<div><dt>Language</dt><dd><bdi>\(locale)</bdi></dd></div>")
        }
        facts.append("<div><dt>Connected devices</dt><dd>\(conversation.sockets)</dd></div>")
        conversation.data?.forEach { key, value in
            let text = value.stringValue ?? value.text
            facts.append("<div><dt><bdi>\(key)</bdi></dt><dd><bdi>\(text)</bdi></dd></div>")
        }
        return "<details id=\"about\"><summary>About the client</summary><dl>\(facts)</dl></details>"
    }

    private func read(_ conversation: DeskConversation, _ path: String) -> HTML {
        guard conversation.row.unread > 0, let last = conversation.messages.last else { return "" }
        return """
            <form id="read" method="post" action="\(path)/read">\(renderer.formField)\
            <input type="hidden" name="through" value="\(last.messageID)"><button>Mark as read</button></form>
            """
    }

    private func reply(_ opened: Opened, _ path: String) -> HTML {
        let chosen = opened.canned.flatMap { canned.indices.contains($0) ? canned[$0] : nil }
        let text = opened.text ?? chosen?.text ?? ""
        let hidden: HTML? =
            chosen?.files.isEmpty == false
            ? "<input type=\"hidden\" name=\"canned\" value=\"\(opened.canned ?? 0)\">" : nil
        let files: HTML? = chosen.flatMap { answer in
            answer.files.isEmpty
                ? nil : "<p id=\"canned-files\">With \(answer.files.map { $0.name }.joined(separator: ", "))</p>"
        }
        let answers = canned.enumerated().map { index, answer -> HTML in
            """
            <li><a href="\(path)?canned=\(index)#reply-text" data-canned="\(index)" data-text="\(answer.text)" \
            data-files="\(answer.files.map(\.name).joined(separator: ", "))">\(answer.name)</a></li>
            """
        }
        let list: HTML? =
            canned.isEmpty
            ? nil : "<details><summary>Canned answers</summary><ul id=\"canned\">\(answers)</ul></details>"
        return """
            <form id="reply" method="post" action="\(path)/replies" enctype="multipart/form-data" \
            aria-labelledby="reply-title"><h3 id="reply-title">Reply</h3>\(renderer.formField)\
            <input type="hidden" name="id" value="\(opened.nextID)">\(hidden)\
            <label for="reply-text">Message to the client</label>\
            <textarea id="reply-text" name="text" rows="3" maxlength="\(textLength)" dir="auto" \
            aria-describedby="reply-help reply-error">\(text)</textarea>\(files)\
            <p id="reply-help">Control and Enter send the message.</p><p id="reply-error" role="alert"></p>\
            <label for="reply-file">Files</label> <input id="reply-file" name="file" type="file" multiple>\
            <button id="reply-send">Send</button></form>\(list)
            """
    }

    private func noteForm(_ opened: Opened, _ path: String) -> HTML {
        """
        <form id="note" method="post" action="\(path)/notes" aria-labelledby="note-title">\
        <h3 id="note-title">Internal note</h3>\(renderer.formField)\
        <input type="hidden" name="id" value="\(opened.nextNoteID)">\
        <label for="note-text">Note for operators. The client never sees it.</label>\
        <textarea id="note-text" name="text" rows="2" maxlength="4000" required dir="auto"></textarea>\
        <button id="note-send">Add the note</button></form>
        """
    }

    // MARK: Search

    /// Returns the search results.
    func results(_ results: DeskResults, for query: String) -> HTML {
        let items = results.hits.map { "<li>\(hit($0))</li>" as HTML }
        let count: HTML = results.hits.count == 1 ? "1 result" : "\(results.hits.count) results"
        let more: HTML? = results.isPartial ? "<p>There may be more results. Use a longer text.</p>" : nil
        return Self.document(
            title: "Search · Operator desk", head: "",
            body: """
                \(banner(query: query))<main id="conversation" tabindex="-1">\
                <h2>\(count) for <bdi>\(query)</bdi></h2>\(more)<ol id="results">\(items)</ol>\
                <p><a href="\(DeskPaths.root)">Back to the inbox</a></p></main>
                """)
    }

    private func hit(_ hit: DeskHit) -> HTML {
        switch hit {
        case .client(let row):
            return """
                <a href="\(DeskPaths.conversation(row.clientID))"><bdi>\(DeskRenderer.name(of: row))</bdi></a> \
                <span class="state">\(row.state.rawValue)</span>
                """
        case .message(let message, let name):
            let path = DeskPaths.conversation(message.clientID)
            return """
                <a href="\(path)?around=\(message.messageID)#m-\(message.messageID)">\
                <bdi>\(DeskRenderer.name(name, message.clientID))</bdi></a> \(DeskTime.element(message.sentAt))\
                <p dir="auto">\(String((message.content.text ?? "").prefix(300)))</p>
                """
        case .note(let note, let name):
            return """
                <a href="\(DeskPaths.conversation(note.clientID))"><bdi>\(DeskRenderer.name(name, note.clientID))</bdi></a> \
                \(DeskTime.element(note.writtenAt)) <span class="state">note of <bdi>\(note.author.name)</bdi></span>\
                <p dir="auto">\(String(note.text.prefix(300)))</p>
                """
        }
    }
}

extension DeskPages {
    // MARK: Pages without a session

    /// Returns the sign-in form.
    static func signIn(form: String, name: String = "", notice: String? = nil) -> HTML {
        document(
            title: "Sign in · Operator desk", head: "",
            body: """
                <main id="sign-in"><h1>Operator desk</h1>\(Self.notice(notice))\
                <form method="post" action="\(DeskPaths.signIn)"><input type="hidden" name="form" value="\(form)">\
                <p><label for="name">Your name, as clients and colleagues see it</label>\
                <input id="name" name="name" required maxlength="\(DeskOperator.maximumCharacters)" \
                autocomplete="nickname" value="\(name)" dir="auto"></p>\
                <p><label for="token">The operators’ token</label>\
                <input id="token" name="token" type="password" required autocomplete="current-password"></p>\
                <button>Sign in</button></form>\
                <p>This desk belongs to a server for development. It does not replace a help desk.</p></main>
                """)
    }

    /// Returns a page with the reason why a request was refused.
    static func refusal(_ reason: String) -> HTML {
        document(
            title: "Operator desk", head: "",
            body: """
                <main id="refusal"><h1>Operator desk</h1><p role="alert">\(reason)</p>\
                <p><a href="\(DeskPaths.root)">To the desk</a></p></main>
                """)
    }

    private static func document(title: HTML, head: HTML, body: HTML) -> HTML {
        """
        <!doctype html><html lang="en"><head><meta charset="utf-8">\
        <meta name="viewport" content="width=device-width, initial-scale=1"><title>\(title)</title>\(head)\
        <link rel="stylesheet" href="\(DeskFiles.styles.address)">\
        <script type="module" src="\(DeskFiles.script.address)"></script></head>\
        <body data-stale="false">\(body)</body></html>
        """
    }
}
