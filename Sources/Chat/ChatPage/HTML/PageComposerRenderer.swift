import ChatCenterCore

/// Renders the input field.
struct PageComposerRenderer {
    let page: PageRenderer

    private var texts: PageTexts { page.texts }

    /// Appends the input field with its buttons.
    func composer(_ html: inout HTMLWriter) {
        let input = page.screen.input
        html.element(
            "form",
            [
                "id": "composer", "method": "post", "action": page.request.path("form"),
                "data-blocked": input.isEnabled ? nil : "", "aria-label": texts("input.placeholder"),
            ]
        ) { html in
            html.hidden("form", page.request.formToken)
            html.hidden("intent", "send")
            if !page.request.messageID.isEmpty { html.hidden("id", page.request.messageID) }
            html.element("p", ["id": "blocked", "dir": "auto", "hidden": input.blocked == nil ? "" : nil]) { html in
                if let blocked = input.blocked { html.text(words(blocked)) }
            }
            html.element("div", ["id": "quote", "hidden": input.quote == nil ? "" : nil]) { html in
                html.element("blockquote", ["class": "quote"]) { html in
                    if let quote = input.quote { page.quote(&html, quote) }
                }
                html.element(
                    "button", ["type": "button", "id": "quote-remove", "class": "needs-js"],
                    text: texts("input.quote_remove"))
            }
            html.raw("<ul id=\"attachments\"></ul>")
            html.element("div", ["class": "bar"]) { html in
                attach(&html, input)
                html.element(
                    "textarea",
                    [
                        "id": "text", "name": "text", "rows": "1", "dir": "auto", "autocomplete": "off",
                        "aria-label": texts("input.placeholder"), "placeholder": texts("input.placeholder"),
                        "aria-describedby": "remaining blocked", "readonly": input.isEnabled ? nil : "",
                    ], text: "\n" + (input.prefill ?? input.text))
                html.element(
                    "button",
                    [
                        "type": "button", "id": "record", "class": "needs-js",
                        "hidden": input.showsVoiceButton ? nil : "",
                    ],
                    text: texts("input.record"))
                html.element(
                    "button", ["id": "send", "disabled": input.isEnabled ? nil : ""], text: texts("input.send"))
            }
            html.element("div", ["id": "recording", "hidden": ""]) { html in
                html.raw("<span id=\"record-time\" role=\"timer\">0:00</span>")
                html.element("button", ["type": "button", "id": "stop-record"], text: texts("input.stop_recording"))
                html.element(
                    "button", ["type": "button", "id": "cancel-record"], text: texts("input.cancel_recording"))
            }
            html.element("p", ["id": "remaining", "role": "status"]) { html in
                if input.isCut { html.text(texts("input.too_long")) }
            }
        }
    }

    private func attach(_ html: inout HTMLWriter, _ input: ChatScreenInput) {
        let extensions = page.state.limits.fileExtensions.filter { $0.utf8.allSatisfy { 0x2D < $0 && $0 < 0x7B } }
        html.element(
            "span", ["class": "attach", "hidden": input.showsAttachButton && input.isEnabled ? nil : ""]
        ) { html in
            html.element("label", ["for": "file"], text: texts("input.attach"))
            html.open(
                "input",
                [
                    "type": "file", "id": "file", "name": "file", "form": "upload",
                    "accept": extensions.isEmpty ? nil : extensions.map { "." + $0 }.joined(separator: ","),
                ])
            html.element("button", ["class": "without-js", "form": "upload"], text: texts("input.attach"))
        }
    }

    private func words(_ blocked: ChatScreenInput.Blocked) -> String {
        switch blocked {
        case .clientBlocked(let text?), .outOfHours(let text?): text
        case .outOfHours(nil): texts("banner.out_of_hours")
        case .notConfigured: texts("banner.configuration_failed")
        case .disabled: texts("chat.available_readonly_text")
        case .clientBlocked(nil), .notAllowed, .answerWithButton, .answerSurvey: texts("input.blocked")
        }
    }
}
