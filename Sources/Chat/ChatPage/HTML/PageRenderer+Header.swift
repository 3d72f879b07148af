import ChatCenterCore

extension PageRenderer {
    /// The title, the security of the connection, and the button that opens the search.
    func header(_ html: inout HTMLWriter) {
        html.element("div", ["class": "heads"]) { html in
            html.element("h1", ["id": "title"]) { title(&$0) }
            let isTyping = if case .typing = screen.title { true } else { false }
            html.element("p", ["id": "typing", "hidden": isTyping ? nil : ""]) { html in
                guard case .typing(let name) = screen.title else { return }
                if let name {
                    html.isolated(name)
                    html.raw(" ")
                }
                html.text(texts("chat.title.typing"))
            }
            html.element(
                "p", ["id": "wait", "dir": "auto", "hidden": screen.averageWait == nil ? "" : nil],
                text: screen.averageWait ?? "")
        }
        let security = Self.name(state.security)
        html.element("p", ["id": "security", "data-security": security.value], text: texts(security.key))
        html.element(
            "button",
            [
                "id": "search-toggle", "type": "button", "class": "needs-js", "aria-expanded": "false",
                "aria-controls": "search", "hidden": screen.showsSearch ? nil : "",
            ], text: texts("search.title"))
    }

    private func title(_ html: inout HTMLWriter) {
        switch screen.title {
        case .connecting: html.text(texts("chat.title.connecting"))
        case .opened, .typing: html.text(texts("chat.title.opened"))
        case .waiting: html.text(texts("chat.title.waiting"))
        case .waitingForSpecialist: html.text(texts("chat.title.waiting_for_specialist"))
        case .working(let other):
            html.isolated(other.name ?? texts("operator.operator"))
            html.raw(" ")
            html.text(texts("chat.title.working"))
        }
    }

    private static func name(_ security: ChatScreenSecurity) -> (value: String, key: String) {
        switch security {
        case .pinned: ("pinned", "security.pinned")
        case .systemTrust: ("systemTrust", "security.system_trust")
        case .unverified: ("unverified", "security.unverified")
        }
    }

    /// The notice of this request, the line about staleness, and the banners.
    func notices(_ html: inout HTMLWriter) {
        if let notice = request.notice {
            html.element("p", ["id": "notice", "role": "alert", "dir": "auto"], text: notice)
        }
        html.element("p", ["class": "without-js"]) { html in
            html.element("a", ["href": request.path("")], text: texts("action.reload"))
            html.raw(" ")
            html.element("time", text: clock.time(clock.now))
        }
        html.raw("<p id=\"stale\" role=\"alert\" hidden></p>")
        html.element("div", ["id": "banners", "role": "status"]) { html in
            for banner in screen.banners { self.banner(&html, banner) }
        }
    }

    private func banner(_ html: inout HTMLWriter, _ banner: ChatBanner) {
        let words = PageBannerWords(banner)
        html.element("div", ["class": "banner", "data-kind": words.kind]) { html in
            html.element("p", ["dir": "auto"]) { html in
                html.element("strong", text: words.key.map { texts($0) } ?? words.detail ?? "")
                if words.key != nil, let detail = words.detail {
                    html.raw(" ")
                    html.element("span", ["class": "detail", "dir": "auto"], text: detail)
                }
                if case .connectionLost = banner, let seconds = secondsToNextAttempt {
                    html.raw(" ")
                    html.element(
                        "span", ["class": "countdown", "aria-live": "off"],
                        text: texts("banner.next_attempt", count: seconds))
                }
            }
            if words.canReload {
                action(&html, "reload", [:], class: "reload") { $0.text(texts("action.reload")) }
            }
        }
    }

    private var secondsToNextAttempt: Int? {
        guard case .waitingToReconnect(_, let time, _) = screen.connection else { return nil }
        let (rest, overflows) = time.subtractingReportingOverflow(clock.now)
        return overflows || rest <= 0 ? 0 : Int(clamping: (rest - 1) / 1000 + 1)
    }
}

/// The words of a banner.
struct PageBannerWords: Hashable {
    /// The name of the kind, as in the frames.
    var kind: String
    /// The key of the text; `nil` if the company's own text is shown.
    var key: String?
    /// The description of the failure, or the company's text.
    var detail: String?
    /// Whether loading can be tried again.
    var canReload = false

    init(_ banner: ChatBanner) {
        switch banner {
        case .configurationFailed(let failure):
            (kind, key, canReload) = ("configurationFailed", "banner.configuration_failed", true)
            detail = failure.sentence
        case .configurationIncomplete:
            (kind, key, canReload) = ("configurationIncomplete", "banner.configuration_failed", true)
        case .historyFailed(let failure):
            (kind, key, canReload) = ("historyFailed", "banner.history_failed", true)
            detail = failure.sentence
        case .connectionLost(let cause):
            (kind, key, detail) = ("connectionLost", "banner.connection_lost", cause.sentence)
        case .unauthorized(let refusal):
            (kind, key, detail) = ("unauthorized", "banner.unauthorized", refusal?.sentence)
        case .storeFailed(let failure): (kind, key, detail) = ("storeFailed", "banner.store_failed", failure.sentence)
        case .outOfHours(let text): (kind, key, detail) = ("outOfHours", nil, text)
        }
    }
}
