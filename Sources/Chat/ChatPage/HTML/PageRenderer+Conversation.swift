import ChatCenterCore

extension PageRenderer {
    /// The newest rows of the conversation. The element scrolls from its end, so the newest message is visible at once.
    func conversation(_ html: inout HTMLWriter) {
        let all = screen.messages
        let rows = all.suffix(PageHTML.rowCount)
        html.element(
            "div", ["id": "scroll", "tabindex": "0", "role": "region", "aria-label": texts("chat.title.opened")]
        ) { html in
            html.element("div", ["class": "column"]) { html in
                paging(&html, isCut: rows.count < all.count)
                html.element(
                    "div",
                    [
                        "id": "rows", "role": "log", "aria-live": "polite", "aria-relevant": "additions",
                        "aria-label": texts("chat.title.opened"),
                    ]
                ) { html in
                    list(&html, rows, prefix: "row-")
                    if all.isEmpty { empty(&html) }
                }
            }
        }
    }

    /// The button that loads older messages.
    private func paging(_ html: inout HTMLWriter, isCut: Bool) {
        var isAtBeginning = false
        var failure: String?
        switch screen.paging {
        case .idle, .loading: break
        case .atBeginning: isAtBeginning = true
        case .failed(let cause): failure = cause.sentence
        }
        html.element("div", ["id": "paging", "hidden": isAtBeginning && !isCut ? "" : nil]) { html in
            if let failure {
                html.element("p", ["class": "failure", "dir": "auto"], text: failure)
            }
            action(&html, "loadOlder", [:], class: "older", id: "load-older", disabled: screen.paging == .loading) {
                $0.text(texts(screen.paging == .loading ? "loading.title" : "action.load_older"))
            }
        }
    }

    private func empty(_ html: inout HTMLWriter) {
        html.element("div", ["id": "empty"]) { html in
            html.element("h2", text: texts("empty_chat.title"))
            html.element("p", text: texts("empty_chat.text"))
        }
    }

    /// A list of rows. Each list has at most ``chunk`` rows, so that a browser can skip lists that are not visible.
    func list(
        _ html: inout HTMLWriter, _ rows: some RandomAccessCollection<ChatScreenMessage>, prefix: String,
        id: String? = nil
    ) {
        var previous: ChatScreenMessage?
        var count = 0
        var hasUnread = false
        var isOpen = false
        for row in rows {
            if count % Self.chunk == 0 {
                if isOpen { html.raw("</ol>") }
                html.open("ol", ["class": "chunk", "id": count == 0 ? id : nil])
                isOpen = true
            }
            let startsUnread = row.isUnread && !hasUnread
            hasUnread = hasUnread || row.isUnread
            self.row(&html, row, after: previous, startsUnread: startsUnread, prefix: prefix)
            previous = row
            count += 1
        }
        if !isOpen { html.open("ol", ["class": "chunk", "id": id]) }
        html.raw("</ol>")
    }

    /// The number of rows in one list.
    static let chunk = 20

    /// The surroundings of a search hit, over the conversation.
    func context(_ html: inout HTMLWriter) {
        let context = screen.context
        html.element(
            "section",
            ["id": "context", "aria-label": texts("search.jump"), "hidden": context == nil ? "" : nil]
        ) { html in
            html.element("div", ["class": "bar"]) { html in
                html.element("h2", text: texts("search.jump"))
                action(&html, "closeContext", [:], class: "close", id: "context-close") {
                    $0.text(texts("action.close"))
                }
            }
            html.element(
                "div", ["id": "context-scroll", "tabindex": "0", "role": "group", "aria-label": texts("search.jump")]
            ) { html in
                edge(&html, context?.older, "loadOlderContext", id: "context-older")
                list(&html, context?.messages ?? [], prefix: "context-", id: "context-rows")
                edge(&html, context?.newer, "loadNewerContext", id: "context-newer")
            }
        }
    }

    private func edge(_ html: inout HTMLWriter, _ edge: ChatScreenContext.Edge?, _ intent: String, id: String) {
        html.element("div", ["class": "edge", "hidden": edge == .atEnd || edge == nil ? "" : nil]) { html in
            if case .failed(let cause) = edge {
                html.element("p", ["class": "failure", "dir": "auto"], text: cause.sentence)
            }
            action(&html, intent, [:], class: "older", id: id, disabled: edge == .loading) {
                $0.text(
                    texts(
                        edge == .loading
                            ? "loading.title" : intent == "loadOlderContext" ? "action.load_older" : "search.more"))
            }
        }
    }
}
