@testable import ChatCenterCore
@testable import ChatPage
import ChatWire
import Testing

/// Tests the page as HTML.
@Suite struct PageHTMLTests {
    private static let id = "11111111-2222-4333-8444-555555555555"

    private func page(
        _ state: PageState, basePath: String = "/", notice: String? = nil, messageID: String = PageHTMLTests.id
    ) -> String {
        let request = PageRequest(
            basePath: basePath, formToken: "form-token", sessionName: "visitor",
            firstFrame: Array(#"{"kind":"state"}"#.utf8),
            notice: notice, now: 100, messageID: messageID)
        return String(decoding: PageHTML.page(state, request), as: UTF8.self)
    }

    /// Returns a page with one message of the company.
    private func page(text: String) -> String {
        page(Samples.state { $0.window.save(Samples.message("m", text, at: 5)) })
    }

    @Test(arguments: [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>", "</li></ol><h1>x",
        "</script><script>alert(1)</script>", "<!--", "<style>*{display:none}</style>", "&lt;b&gt;",
        "javascript:alert(1)",
    ])
    func noTextBecomesMarkup(text: String) {
        let plain = page(text: "plain")
        let html = page(text: text)
        for mark in ["<script", "<img", "<svg", "<h1", "<style", "<!--", "</ol>", "<a ", "onerror=", "onload="] {
            let isText = mark.hasSuffix("=")
            #expect(isText || html.ranges(of: mark).count == plain.ranges(of: mark).count, "\(mark)")
        }
        #expect(html.contains("<div class=\"text\" dir=\"auto\">"))
    }

    @Test func hostileNamesAndIdsStayInTheirPlace() {
        var message = Samples.message("x\"><script>alert(1)</script>", "text", at: 5)
        message.content.operator?.name = "\u{202E}<b>Eva"
        let html = page(Samples.state { $0.window.save(message) })
        #expect(html.contains("id=\"row-x&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;\""))
        #expect(html.contains("<bdi>\u{FFFD}&lt;b&gt;Eva</bdi>"))
        #expect(html.ranges(of: "<script").count == 2)
    }

    @Test func nothingIsInlineOrFromAnotherOrigin() {
        let html = page(text: "text")
        #expect(!html.contains(" style=") && !html.contains("<style"))
        #expect(!html.contains(" on"), "an attribute such as onclick")
        #expect(!html.contains("src=\"http") && !html.contains("href=\"//"))
        #expect(html.contains("<script type=\"module\" src=\"/page.js?v=\(PageFiles.script.digest)\"></script>"))
        #expect(html.contains("href=\"/page.css?v=\(PageFiles.styles.digest)\""))
    }

    @Test func linksOpenWithoutAccessToThePage() {
        let html = page(text: "see https://example.org/a?b=1&c=2")
        #expect(
            html.contains(
                "<a href=\"https://example.org/a?b=1&amp;c=2\" target=\"_blank\" rel=\"noopener noreferrer\" dir=\"ltr\">"
                    + "https://example.org/a?b=1&amp;c=2</a>"))
    }

    @Test func aFormSendsWithoutAScript() {
        let html = page(text: "text")
        #expect(html.contains("<form id=\"composer\" method=\"post\" action=\"/form\""))
        #expect(html.contains("<input type=\"hidden\" name=\"form\" value=\"form-token\">"))
        #expect(html.contains("<input type=\"hidden\" name=\"intent\" value=\"send\">"))
        #expect(html.contains("<input type=\"hidden\" name=\"id\" value=\"\(Self.id)\">"))
        #expect(html.contains("<form id=\"upload\" method=\"post\" enctype=\"multipart/form-data\" action=\"/files\">"))
        #expect(!page(Samples.state(), messageID: "").contains("name=\"id\""))
    }

    @Test(arguments: [
        ("/", "/form"), ("/chat/", "/chat/form"), ("chat/a", "/chat/a/form"), ("//evil.example/", "/evil.example/form"),
    ])
    func pathsAreBelowTheBasePath(base: String, path: String) {
        #expect(page(Samples.state(), basePath: base).contains("action=\"\(path)\""))
    }

    @Test func onlyTheNewestRowsAreInThePage() {
        let html = page(Samples.state(messages: PageHTML.rowCount + 5))
        #expect(html.ranges(of: "<li class=\"row\"").count == PageHTML.rowCount)
        #expect(!html.contains("id=\"row-o-4\""))
        #expect(html.contains("id=\"row-o-5\""))
        #expect(html.ranges(of: "<p class=\"day\">").count == 1)
    }

    @Test func theStateOfAnOwnMessageIsShown() {
        let html = page(
            Samples.state { screen in
                screen.window.save(
                    StoredMessage(
                        id: MessageID("m"), content: Content(.message, uuid: "m", text: "mine"),
                        position: MessagePosition(time: 5, sequence: 1),
                        state: .own(.failed(.timedOut, mayHaveArrived: false))))
            })
        #expect(html.contains("data-author=\"me\" data-state=\"failed\" data-kind=\"message\""))
        #expect(html.contains("<span class=\"state\">not delivered</span>"))
        #expect(html.contains(SendFailure.timedOut.sentence))
        #expect(html.contains("<button class=\"retry\">") && html.contains("<button class=\"delete\">"))
    }

    @Test func filesHaveTheirStates() {
        let attachments = [
            Attachment(result: "r", name: "a.png", type: "image/png", size: 2048, state: .ready),
            Attachment(result: "r", name: "a.svg", type: "image/svg+xml", state: .ready),
            Attachment(name: "b.pdf", state: .error, errorCode: "VIRUS"), Attachment(name: "c.pdf", state: .expired),
        ]
        let html = page(
            Samples.state { screen in
                var message = Samples.message("m 1", "", at: 5)
                message.content.attachments = attachments
                screen.window.save(message)
            })
        #expect(html.contains("<img src=\"/files/m%201/0?inline\" alt=\"a.png\""))
        #expect(!html.contains("/files/m%201/1?inline"), "an SVG file is never shown")
        #expect(html.contains("href=\"/files/m%201/1\" download=\"\""))
        #expect(!html.contains("/files/m%201/2") && !html.contains("/files/m%201/3"))
        #expect(html.contains("data-state=\"failed\"") && html.contains("VIRUS"))
        #expect(html.contains("<span class=\"size\">2 KB</span>"))
    }

    @Test func bannersSayWhatIsWrongAndWhenTheNextAttemptIs() {
        let html = page(
            Samples.state { screen in
                screen.banners = [
                    .connectionLost(.linkDead), .historyFailed(TransportFailure(.timedOut)), .outOfHours("<Monday>"),
                ]
                screen.connection = .waitingToReconnect(attempt: 1, atMilliseconds: 4_100, cause: .linkDead)
            })
        #expect(html.contains("<div class=\"banner\" data-kind=\"connectionLost\">"))
        #expect(html.contains(DisconnectCause.linkDead.sentence))
        #expect(html.contains("<span class=\"countdown\" aria-live=\"off\">next attempt</span>"))
        #expect(html.contains("<button class=\"reload\">"))
        #expect(html.contains("&lt;Monday&gt;"))
        #expect(html.contains("data-connection=\"waitingToReconnect\""))
    }

    @Test func rightToLeft() {
        var state = Samples.state()
        (state.appearance.isRightToLeft, state.appearance.language) = (true, "ar")
        #expect(page(state).contains("<html lang=\"ar\" dir=\"rtl\">"))
        #expect(page(Samples.state()).contains("<html lang=\"en\" dir=\"ltr\">"))
    }

    @Test func theNoticeOfARequestIsShown() {
        #expect(
            page(Samples.state(), notice: "<No>").contains(
                "<p id=\"notice\" role=\"alert\" dir=\"auto\">&lt;No&gt;</p>"))
        #expect(!page(Samples.state()).contains("id=\"notice\""))
    }
}
