import ChatCenterCore

/// Renders one page: the state, the request, and the texts in the page's language.
struct PageRenderer {
    let state: PageState
    let request: PageRequest
    let texts: PageTexts
    let clock: PageClock

    init(_ state: PageState, _ request: PageRequest) {
        self.state = state
        self.request = request
        texts = PageTexts(state.appearance)
        clock = PageClock(now: request.now, secondsFromGMT: request.secondsFromGMT)
    }

    var screen: ChatScreenState { state.screen }

    /// A choice of the theme that changes more than a value in the styles. Both themes have the same ones.
    func style(_ name: String) -> String? { state.appearance.light[name] }

    /// Whether quick replies are in a bar above the input field instead of below their message.
    var hasToolbar: Bool { style("quick-replies") == "toolbar" }

    /// The name of the connection's state, for styles and tests.
    var connection: String {
        switch screen.connection {
        case .idle: "idle"
        case .connecting: "connecting"
        case .registering: "registering"
        case .ready: "ready"
        case .waitingToReconnect: "waitingToReconnect"
        case .closed: "closed"
        }
    }

    func head(_ html: inout HTMLWriter) {
        PageHTML.meta(&html)
        html.open("meta", ["name": "chat-form", "content": request.formToken])
        html.open("meta", ["name": "chat-session", "content": request.sessionName])
        html.open("meta", ["name": "chat-base", "content": request.path("")])
        html.open("meta", ["name": "chat-zone", "content": String(request.secondsFromGMT)])
        let unread = screen.unreadCount > 0 ? "(\(screen.unreadCount)) " : ""
        html.element("title", text: unread + texts("chat.title.opened"))
        let theme = PageFile.digest(of: PageHTML.themeStyles(state.appearance))
        PageHTML.stylesheet(&html, "page.css", PageFiles.styles.digest, basePath: request.basePath)
        PageHTML.stylesheet(&html, "theme.css", theme, basePath: request.basePath)
        let script = request.path("page.js?v=" + PageFiles.script.digest)
        html.element("script", ["type": "module", "src": script])
    }

    func body(_ html: inout HTMLWriter) {
        html.element("a", ["class": "skip", "href": "#text"], text: texts("input.placeholder"))
        html.element("main", ["id": "chat"]) { html in
            html.element("header") { header(&$0) }
            notices(&html)
            SearchRenderer(on: self).render(&html)
            html.element("div", ["class": "stage"]) { html in
                conversation(&html)
                context(&html)
                html.element("button", ["id": "new-messages", "type": "button", "hidden": ""]) { html in
                    html.element("span", ["class": "count"])
                    html.text(texts("action.scroll_to_newest"))
                }
            }
            html.element("div", ["id": "toolbar"]) { html in
                if hasToolbar, let row = screen.messages.last(where: { !$0.buttons.isEmpty }) {
                    quickReplies(&html, row)
                }
            }
            // Fields are sent in the order of the document, so the forms come before their visible fields.
            forms(&html)
            PageComposerRenderer(page: self).composer(&html)
        }
        html.raw("\n<script type=\"application/json\" id=\"chat-state\">")
        html.raw(safe: PageFirstFrame.embedded(request.firstFrame, rows: PageHTML.rowCount))
        html.raw("</script>\n")
    }

    /// The form with a button that performs an intent. With JavaScript, the script sends the intent instead.
    func action(
        _ html: inout HTMLWriter, _ intent: String, _ fields: KeyValuePairs<String, String>, class name: String,
        id: String? = nil, disabled: Bool = false, _ label: (inout HTMLWriter) -> Void
    ) {
        html.element("form", ["class": "act", "method": "post", "action": request.path("form")]) { html in
            html.hidden("form", request.formToken)
            html.hidden("intent", intent)
            for (name, value) in fields where !(name == "id" && value.isEmpty) { html.hidden(name, value) }
            html.element("button", ["class": name, "id": id, "disabled": disabled ? "" : nil], label)
        }
    }

    /// Hidden forms whose visible fields are elsewhere, and the fields that are sent with them.
    private func forms(_ html: inout HTMLWriter) {
        html.element(
            "form",
            ["id": "upload", "method": "post", "enctype": "multipart/form-data", "action": request.path("files")]
        ) { html in
            // The server reads these fields before the file.
            html.hidden("form", request.formToken)
            if !request.messageID.isEmpty { html.hidden("id", request.messageID) }
        }
        html.element("form", ["id": "search-form", "method": "post", "action": request.path("form")]) { html in
            html.hidden("form", request.formToken)
            html.hidden("intent", "search")
        }
    }

    /// Appends a text with its links. The text is the text of another person: nothing in it is markup.
    func linked(_ html: inout HTMLWriter, _ text: String) {
        let (shown, rest) = SafeText.folded(SafeText.cleaned(text))
        links(&html, shown)
        if let rest {
            html.element("details") { html in
                html.element("summary", text: "…")
                links(&html, rest)
            }
        }
    }

    private func links(_ html: inout HTMLWriter, _ text: Substring) {
        for part in PageLinks.parts(of: text) {
            switch part {
            case .text(let text): html.text(String(text))
            case .link(let link):
                html.element("a", Self.link(String(link)), text: String(link))
            }
        }
    }

    /// The attributes of a link to another site.
    static func link(_ url: String) -> KeyValuePairs<StaticString, String?> {
        ["href": url, "target": "_blank", "rel": "noopener noreferrer", "dir": "ltr"]
    }
}
