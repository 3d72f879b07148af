import ChatCenterCore

/// Renders the search on a page. The script shows and hides it; without a script it is always visible.
struct SearchRenderer {
    private let page: PageRenderer
    private let search: ChatScreenSearch?

    init(on page: PageRenderer) {
        self.page = page
        search = page.screen.search
    }

    /// Appends the search and its results.
    func render(_ html: inout HTMLWriter) {
        html.element(
            "section",
            [
                "id": "search", "role": "search", "aria-label": page.texts("search.title"),
                "data-open": search == nil ? "false" : "true", "hidden": page.screen.showsSearch ? nil : "",
            ]
        ) { html in
            html.element("div", ["class": "bar"]) { html in
                html.element("h2", text: page.texts("search.title"))
                html.open(
                    "input",
                    [
                        "type": "search", "name": "text", "form": "search-form", "autocomplete": "off",
                        "aria-label": page.texts("search.placeholder"), "placeholder": page.texts("search.placeholder"),
                        "value": search.map { SafeText.cleaned($0.text) } ?? "", "dir": "auto",
                    ])
                html.element(
                    "button", ["class": "without-js", "form": "search-form"], text: page.texts("search.title"))
                html.element(
                    "button", ["type": "button", "id": "search-close", "class": "needs-js"],
                    text: page.texts("search.close"))
            }
            html.element("p", ["id": "search-status", "role": "status"]) { html in
                if let search { status(&html, search) }
            }
            html.element("ol", ["id": "search-results"]) { html in
                for row in search?.results ?? [] { result(&html, row) }
            }
            html.element("div", ["class": "edge", "hidden": search?.hasMore == true ? nil : ""]) { html in
                page.action(&html, "searchMore", [:], class: "more", id: "search-more") {
                    $0.text(page.texts("search.more"))
                }
            }
        }
    }

    private func status(_ html: inout HTMLWriter, _ search: ChatScreenSearch) {
        if search.isSearching {
            html.text(page.texts("loading.title"))
        } else if search.results.isEmpty {
            html.text(page.texts("search.no_results"))
        } else {
            html.text(page.texts("search.results", count: max(search.total, search.results.count)))
        }
        if search.isLocal {
            html.raw(" ")
            html.text(page.texts("search.local"))
        }
        if let failure = search.failure {
            html.raw(" ")
            html.element("span", ["class": "detail", "dir": "auto"], text: failure.sentence)
        }
    }

    private func result(_ html: inout HTMLWriter, _ row: ChatScreenMessage) {
        html.element("li") { html in
            page.action(&html, "showContext", ["message": row.id.text], class: "hit") { html in
                html.element("span", ["class": "who"]) { html in
                    switch row.author {
                    case .me: html.text(page.texts("message.you"))
                    case .other(let other): html.isolated(other.name ?? page.texts(PageRenderer.role(other)))
                    case .system: html.text(page.texts("operator.system"))
                    }
                }
                html.raw(" ")
                html.element("time") { html in
                    html.text(page.clock.name(ofDay: page.clock.day(row.timeMilliseconds), page.texts))
                    html.raw(" ")
                    html.text(page.clock.time(row.timeMilliseconds))
                }
                html.element("span", ["class": "text", "dir": "auto"]) { html in
                    let text = row.isMasked ? "••••••" : row.text ?? row.files.first?.name ?? ""
                    matches(&html, in: String(text.prefix(200)))
                }
            }
        }
    }

    /// Appends the text of a result with the text of the search marked.
    private func matches(_ html: inout HTMLWriter, in text: String) {
        guard let wanted = search?.text.lowercased(), !wanted.isEmpty else { return html.text(text) }
        var rest = text[...]
        var index = rest.startIndex
        while index < rest.endIndex {
            let end = rest.index(index, offsetBy: wanted.count, limitedBy: rest.endIndex)
            guard let end else { break }
            if rest[index..<end].lowercased() == wanted {
                html.text(String(rest[..<index]))
                html.element("mark", text: String(rest[index..<end]))
                rest = rest[end...]
                index = rest.startIndex
            } else {
                index = rest.index(after: index)
            }
        }
        html.text(String(rest))
    }
}
