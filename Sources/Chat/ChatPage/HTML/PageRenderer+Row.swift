import ChatCenterCore

extension PageRenderer {
    /// Appends one row. The page's script creates the same elements in `row()`.
    func row(
        _ html: inout HTMLWriter, _ row: ChatScreenMessage, after previous: ChatScreenMessage?, startsUnread: Bool,
        prefix: String
    ) {
        let day = clock.day(row.timeMilliseconds)
        let isNewDay = previous.map { clock.day($0.timeMilliseconds) != day } ?? true
        let follows = !isNewDay && !startsUnread && previous.map { Self.speaker($0) == Self.speaker(row) } == true
        html.element(
            "li",
            [
                "class": "row" + (row.isCampaign ? " campaign" : "") + (row.isPersonalOffer ? " offer" : ""),
                "id": prefix + row.id.text, "data-id": row.id.text, "data-author": Self.author(row),
                "data-state": Self.state(row)?.name, "data-kind": Self.kind(row.kind).name,
                "data-follows": follows ? "" : nil,
            ]
        ) { html in
            if isNewDay {
                html.element("p", ["class": "day"], text: clock.name(ofDay: day, texts))
            }
            if startsUnread {
                html.element("p", ["class": "unread-divider"], text: texts("message.unread_divider"))
            }
            html.element("div", ["class": "bubble"]) { bubble(&$0, row) }
            if !row.buttons.isEmpty && !hasToolbar { quickReplies(&html, row) }
        }
        html.raw("\n")
    }

    private func bubble(_ html: inout HTMLWriter, _ row: ChatScreenMessage) {
        switch row.author {
        case .me:
            html.element("p", ["class": "who mine"]) { photo(&$0, texts("message.you")) }
        case .other(let other):
            let name = other.name ?? texts(Self.role(other))
            html.element("p", ["class": "who"]) { photo(&$0, name) }
        case .system: break
        }
        quotes(&html, row)
        content(&html, row)
        if !row.files.isEmpty && row.kind != .deleted { files(&html, row) }
        speech(&html, row)
        meta(&html, row)
    }

    /// The first letter of a name in place of a photo, and the name.
    private func photo(_ html: inout HTMLWriter, _ name: String) {
        html.element(
            "span", ["class": "photo", "aria-hidden": "true"], text: String(SafeText.cleaned(name).prefix(1)))
        html.isolated(name)
    }

    private func quotes(_ html: inout HTMLWriter, _ row: ChatScreenMessage) {
        guard row.kind != .deleted else { return }
        for quote in row.quotes {
            html.element("blockquote", ["class": "quote"]) { self.quote(&$0, quote) }
        }
        guard row.quotes.isEmpty else { return }
        for text in row.quoted {
            html.element("blockquote", ["class": "quote", "dir": "auto"], text: text)
        }
    }

    /// The author and the text of a quoted message.
    func quote(_ html: inout HTMLWriter, _ quote: ChatScreenQuote) {
        html.element("cite") { html in
            if let author = quote.author {
                html.isolated(author.name ?? texts(Self.role(author)))
            } else {
                html.text(texts("message.you"))
            }
        }
        if let text = quote.text, !text.isEmpty {
            html.element("span", ["dir": "auto"], text: String(text.prefix(300)))
        } else if quote.fileCount > 0 {
            html.element("span", text: texts("message.files", count: quote.fileCount))
        }
    }

    private func content(_ html: inout HTMLWriter, _ row: ChatScreenMessage) {
        if row.isMasked {
            html.element("div", ["class": "text", "dir": "auto"], text: "••••••")
            return
        }
        switch row.kind {
        case .deleted:
            html.element("div", ["class": "text gone", "dir": "auto"], text: texts("message.deleted_text"))
        case .survey where screen.surveys.contains { $0.id == row.id }:
            for survey in screen.surveys where survey.id == row.id {
                PageSurveyRenderer(page: self).survey(&html, survey, text: row.text)
            }
        case .survey where row.text?.isEmpty ?? true:
            html.element("div", ["class": "text gone", "dir": "auto"], text: texts("survey.rate"))
        case .unsupported where row.text?.isEmpty ?? true:
            html.element("div", ["class": "text gone", "dir": "auto"], text: texts("message.unsupported"))
        case .notice where row.text?.isEmpty ?? true:
            if let notice = row.notice {
                html.element("div", ["class": "text", "dir": "auto"]) { self.notice(&$0, notice) }
            }
        default:
            if let text = row.text ?? row.formattedText, !text.isEmpty {
                html.element("div", ["class": "text", "dir": "auto"]) { linked(&$0, text) }
            }
        }
    }

    private func speech(_ html: inout HTMLWriter, _ row: ChatScreenMessage) {
        guard let speech = row.speech else { return }
        html.element("p", ["class": "speech", "dir": "auto"]) { html in
            html.element("span", ["class": "label"], text: texts("message.voice_transcript"))
            html.raw(" ")
            let isLost = speech.status?.lowercased() == "error"
            html.text(
                speech.text ?? texts(isLost ? "message.voice_transcript_failed" : "message.voice_transcript_pending"))
        }
    }

    /// The line below the text: the time, the state, and the buttons of the message.
    private func meta(_ html: inout HTMLWriter, _ row: ChatScreenMessage) {
        if case .me(.failed(let failure)) = row.author {
            html.element("p", ["class": "failure", "dir": "auto"], text: failure.sentence)
        }
        html.element("div", ["class": "foot"]) { html in
            html.element("span", ["class": "meta"]) { html in
                if row.isEdited {
                    html.element("span", ["class": "edited"], text: texts("message.edited"))
                    html.raw(" ")
                }
                html.element("time", text: clock.time(row.timeMilliseconds))
                if let state = Self.state(row) {
                    html.raw(" ")
                    html.element("span", ["class": "state"], text: texts(state.key))
                }
            }
            buttons(&html, row)
        }
    }

    private func buttons(_ html: inout HTMLWriter, _ row: ChatScreenMessage) {
        let canCopy = row.kind == .message && !row.isMasked
        let actions = row.actions
        if actions.contains(.retry) {
            action(&html, "retry", ["message": row.id.text], class: "retry") { $0.text(texts("action.retry")) }
        }
        if actions.contains(.delete) {
            action(&html, "delete", ["message": row.id.text], class: "delete") { $0.text(texts("action.delete")) }
        }
        if canCopy {
            html.element("button", ["type": "button", "class": "reply"], text: texts("menu.response_title"))
            html.element("button", ["type": "button", "class": "copy"], text: texts("menu.copy_title"))
        }
    }

    func quickReplies(_ html: inout HTMLWriter, _ row: ChatScreenMessage) {
        html.element("div", ["class": "quick"]) { html in
            for (index, button) in row.buttons.enumerated() {
                if let url = button.url, PageLinks.isSafe(url) {
                    html.element("a", Self.link(url), text: button.text)
                } else if button.url == nil {
                    action(
                        &html, "press",
                        ["id": request.messageID, "message": row.id.text, "index": String(index)], class: "press"
                    ) { $0.isolated(button.text) }
                }
            }
        }
    }
}
