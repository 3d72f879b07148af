import ChatCenterCore

/// Renders the chat page as HTML. The page is complete without JavaScript: it shows the conversation, and its forms
/// send texts, files, button presses and ratings. The page's script takes over the same elements.
public enum PageHTML {
    /// The number of rows in the HTML. The script draws older rows when the visitor scrolls to them.
    static let rowCount = 60

    /// Returns the page.
    ///
    /// - Parameters:
    ///   - state: The state to show.
    ///   - request: The facts about the request, such as the token of its forms.
    public static func page(_ state: PageState, _ request: PageRequest) -> [UInt8] {
        let renderer = PageRenderer(state, request)
        var html = HTMLWriter()
        html.raw("<!doctype html>\n")
        html.element("html", language(state.appearance)) { html in
            html.element("head") { renderer.head(&$0) }
            html.raw("\n")
            html.element(
                "body",
                [
                    "data-connection": renderer.connection, "data-stale": "false",
                    "data-quick-replies": renderer.style("quick-replies"),
                    "data-incoming-avatar": renderer.style("incoming-avatar"),
                    "data-outgoing-avatar": renderer.style("outgoing-avatar"),
                    "data-title-hidden": renderer.style("title-hidden"),
                    "data-search-title-hidden": renderer.style("search-title-hidden"),
                ]
            ) { renderer.body(&$0) }
        }
        html.raw("\n")
        return html.bytes
    }

    /// Returns a page without a chat that says why a request was refused.
    ///
    /// - Parameters:
    ///   - title: What happened, in a few words.
    ///   - text: The reason, and what to do next.
    ///   - detail: Facts such as the expected and the presented keys, one in each line.
    ///   - language: The language of the texts, as a BCP 47 tag.
    public static func refusal(title: String, text: String, detail: [String], language: String = "en") -> [UInt8] {
        var html = HTMLWriter()
        html.raw("<!doctype html>\n")
        html.element("html", ["lang": language, "dir": "ltr"]) { html in
            html.element("head") { html in
                meta(&html)
                html.element("title", text: title)
                stylesheet(&html, "page.css", PageFiles.styles.digest, basePath: nil)
            }
            html.element("body", ["class": "refusal"]) { html in
                html.element("main", ["id": "refusal"]) { html in
                    html.element("h1", ["dir": "auto"], text: title)
                    html.element("p", ["dir": "auto", "role": "alert"], text: text)
                    if !detail.isEmpty {
                        html.element("ul", ["class": "detail"]) { html in
                            for line in detail { html.element("li", ["dir": "auto"], text: line) }
                        }
                    }
                }
            }
        }
        return html.bytes
    }

    static func language(_ appearance: PageAppearance) -> KeyValuePairs<StaticString, String?> {
        ["lang": appearance.language, "dir": appearance.isRightToLeft ? "rtl" : "ltr"]
    }

    static func meta(_ html: inout HTMLWriter) {
        html.raw("<meta charset=\"utf-8\">")
        html.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        html.raw("<meta name=\"color-scheme\" content=\"light dark\">")
        html.raw("<meta name=\"referrer\" content=\"no-referrer\">")
    }

    static func stylesheet(_ html: inout HTMLWriter, _ name: String, _ digest: String, basePath: String?) {
        html.open("link", ["rel": "stylesheet", "href": PageRequest.path(basePath ?? "/", "\(name)?v=\(digest)")])
    }
}

/// The facts about a request for the page.
public struct PageRequest: Hashable, Sendable {
    /// The path under which the app serves the page, such as `/` or `/chat`.
    public var basePath: String
    /// The token that every form sends back, so that another site cannot send forms.
    public var formToken: String
    /// The name of the visitor's session.
    public var sessionName: String
    /// The first `state` frame of the session, for the script.
    public var firstFrame: [UInt8]
    /// A sentence to show at the top, such as the reason why a form was refused.
    public var notice: String?
    /// The current time in milliseconds since 1970.
    public var now: Int64
    /// The offset of the visitor's time zone, as far as it is known.
    public var secondsFromGMT: Int
    /// A new message id for the forms of a page without JavaScript. A form that is sent twice sends one message.
    public var messageID: String

    /// Creates a request.
    public init(
        basePath: String = "/", formToken: String, sessionName: String, firstFrame: [UInt8], notice: String? = nil,
        now: Int64, secondsFromGMT: Int = 0, messageID: String = ""
    ) {
        self.basePath = basePath
        self.formToken = formToken
        self.sessionName = sessionName
        self.firstFrame = firstFrame
        self.notice = notice
        self.now = now
        self.secondsFromGMT = secondsFromGMT
        self.messageID = messageID
    }

    /// Returns a path below the base path.
    func path(_ name: String) -> String { Self.path(basePath, name) }

    static func path(_ basePath: String, _ name: String) -> String {
        // A path that begins with two slashes would be the name of another host.
        let base = basePath.split(separator: "/").joined(separator: "/")
        return base.isEmpty ? "/" + name : "/" + base + "/" + name
    }
}
