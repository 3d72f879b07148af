@testable import ChatCenterCore
@testable import ChatPage
import ChatWire
import Testing

/// Tests surveys, quick replies, the search and the surroundings of a hit in the HTML, and the other pages.
@Suite struct PageHTMLPartsTests {
    /// Returns the HTML that a renderer writes.
    private func html(
        _ state: PageState = Samples.state(), _ body: (PageRenderer, inout HTMLWriter) -> Void
    ) -> String {
        var writer = HTMLWriter()
        let request = PageRequest(formToken: "t", sessionName: "s", firstFrame: [], now: 100, messageID: "new-id")
        body(PageRenderer(state, request), &writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private func survey(_ kind: ChatScreenSurvey.Kind, _ questions: [ChatScreenSurvey.Question]) -> ChatScreenSurvey {
        ChatScreenSurvey(
            id: MessageID("s"), kind: kind, questions: questions, asksForComment: true, comment: "so so",
            canSubmit: true,
            isAnswered: false, answers: [], blocksInput: false, vanishesAtMilliseconds: nil)
    }

    private func question(_ minimum: Int64, _ maximum: Int64, isSimple: Bool = false) -> ChatScreenSurvey.Question {
        ChatScreenSurvey.Question(
            id: 3, text: "How <good>?", minimum: minimum, maximum: maximum, isSimple: isSimple, buttons: [], rate: 2,
            isAnswered: false)
    }

    @Test func aQuestionIsAFormOfItsOwn() {
        let text = html { PageSurveyRenderer(page: $0).survey(&$1, survey(.rating, [question(1, 3)]), text: nil) }
        #expect(text.contains("<section class=\"survey\" id=\"survey-s\">"))
        #expect(text.contains("<legend dir=\"auto\">How &lt;good&gt;?</legend>"))
        #expect(text.contains("<input type=\"radio\" name=\"rate\" value=\"1\">"))
        #expect(text.contains("<input type=\"radio\" name=\"rate\" value=\"2\" checked=\"\">"))
        #expect(text.ranges(of: "type=\"radio\"").count == 3)
        #expect(text.contains("name=\"question\" value=\"3\""))
        #expect(text.contains("rows=\"2\" dir=\"auto\">\nso so</textarea>"))
        #expect(text.contains("<button class=\"submit\">"))
    }

    @Test func aFailedAnswerCanBeSentAgain() {
        var survey = survey(.rating, [question(1, 3)])
        survey.isAnswered = true
        survey.answers = [ChatScreenSurvey.Answer(id: MessageID("a-1"), state: .sent)]
        let thanked = html { PageSurveyRenderer(page: $0).survey(&$1, survey, text: nil) }
        #expect(thanked.contains("class=\"thanks\"") && !thanked.contains("value=\"retry\""))
        let failure = SendFailure.refused(ServerRefusal(code: "NO", details: "<b>No</b>"))
        survey.answers.append(ChatScreenSurvey.Answer(id: MessageID("a-2"), state: .failed(failure)))
        let text = html { PageSurveyRenderer(page: $0).survey(&$1, survey, text: nil) }
        #expect(!text.contains("class=\"thanks\""), "nobody is thanked for an answer that did not arrive")
        #expect(text.contains("&lt;b&gt;No&lt;/b&gt;"))
        #expect(text.ranges(of: "value=\"retry\"").count == 1)
        #expect(text.contains("name=\"message\" value=\"a-2\""))
    }

    @Test(arguments: [(Int64(1), Int64(1_000_000), 21), (.min, .max, 21), (5, 1, 0), (.max, .max, 1)])
    func aScaleIsLimited(minimum: Int64, maximum: Int64, count: Int) {
        let text = html {
            PageSurveyRenderer(page: $0).survey(&$1, survey(.rating, [question(minimum, maximum)]), text: nil)
        }
        #expect(text.ranges(of: "type=\"radio\"").count == count)
    }

    @Test func thumbs() {
        let text = html {
            PageSurveyRenderer(page: $0).survey(&$1, survey(.rating, [question(0, 1, isSimple: true)]), text: nil)
        }
        #expect(text.ranges(of: "type=\"radio\"").count == 2)
        #expect(text.contains("👍 thumb up") && text.contains("👎 thumb down"))
    }

    @Test func aRequestToCloseHasTwoAnswers() {
        let text = html { PageSurveyRenderer(page: $0).survey(&$1, survey(.closeRequest, []), text: "Done?") }
        #expect(text.contains("value=\"closeThread\"") && text.contains("value=\"reopenThread\""))
        #expect(text.contains("<input type=\"hidden\" name=\"request\" value=\"s\">"))
    }

    @Test func quickRepliesPressOrOpen() {
        typealias Button = ChatScreenMessage.Button
        let row = Samples.row {
            $0.buttons = [
                Button(text: "Yes", url: nil, id: nil, imageURL: nil, payload: nil),
                Button(text: "Shop", url: "https://example.org/shop", id: nil, imageURL: nil, payload: nil),
                Button(text: "Evil", url: "javascript:alert(1)", id: nil, imageURL: nil, payload: nil),
            ]
        }
        let text = html { $0.quickReplies(&$1, row) }
        #expect(text.contains("name=\"index\" value=\"0\">") && text.contains("name=\"id\" value=\"new-id\">"))
        #expect(text.contains("<a href=\"https://example.org/shop\" target=\"_blank\" rel=\"noopener noreferrer\""))
        #expect(!text.contains("javascript") && !text.contains("Evil"))
    }

    @Test func theThemeCanPutQuickRepliesIntoABar() {
        var state = Samples.state()
        #expect(!PageRenderer(state, PageRequest(formToken: "", sessionName: "", firstFrame: [], now: 0)).hasToolbar)
        state.appearance.light["quick-replies"] = "toolbar"
        #expect(PageRenderer(state, PageRequest(formToken: "", sessionName: "", firstFrame: [], now: 0)).hasToolbar)
        #expect(html(state) { $0.body(&$1) }.contains("<div id=\"toolbar\">"))
    }

    @Test func matchesOfASearchAreMarked() {
        let state = Samples.state { screen in
            screen.search = ChatScreenSearch(
                text: "or", isSearching: false, results: [Samples.row("m") { $0.text = "Order <or>" }], total: 4,
                hasMore: true,
                isLocal: true, failure: nil)
        }
        let text = html(state) { SearchRenderer(on: $0).render(&$1) }
        #expect(text.contains("<mark>Or</mark>der &lt;<mark>or</mark>&gt;"))
        #expect(
            text.contains("name=\"intent\" value=\"showContext\">") && text.contains("name=\"message\" value=\"m\">"))
        #expect(text.contains("id=\"search-more\""))
        #expect(text.contains("data-open=\"true\""))
    }

    @Test func theSurroundingsHaveTheirOwnIds() {
        let state = Samples.state { screen in
            screen.context = ChatScreenContext(
                target: MessageID("m"), messages: [Samples.row("m") { $0.text = "hit" }], older: .idle,
                newer: .failed(TransportFailure(.timedOut)))
        }
        let text = html(state) { $0.context(&$1) }
        #expect(text.contains("<ol class=\"chunk\" id=\"context-rows\">"))
        #expect(text.contains("id=\"context-m\" data-id=\"m\""))
        #expect(text.contains(TransportFailure(.timedOut).sentence))
        #expect(html { $0.context(&$1) }.contains("hidden=\"\""))
    }

    @Test func aMaskedTextIsNotInThePage() {
        let text = html {
            $0.row(
                &$1, Samples.row { ($0.text, $0.isMasked) = ("4111 1111", true) }, after: nil, startsUnread: false,
                prefix: "row-")
        }
        #expect(!text.contains("4111") && text.contains("••••••"))
    }

    @Test func mailingsAndOffersAreMarked() {
        let text = html {
            $0.row(
                &$1, Samples.row { ($0.isCampaign, $0.isPersonalOffer) = (true, true) }, after: nil,
                startsUnread: false, prefix: "row-")
        }
        #expect(text.contains("<li class=\"row campaign offer\""))
    }

    @Test func aLongTextIsFoldedOutsideOfAParagraph() {
        let long = String(repeating: "a", count: SafeText.longest + 3)
        let text = html {
            $0.row(&$1, Samples.row { $0.text = long }, after: nil, startsUnread: false, prefix: "row-")
        }
        // A browser would end a paragraph at `details`.
        #expect(text.contains("<div class=\"text\" dir=\"auto\">aaa"))
        #expect(text.contains("<details><summary>…</summary>aaa</details></div>"))
    }

    @Test func aDeletedMessageHasNoContent() {
        let text = html {
            $0.row(
                &$1, Samples.row { ($0.text, $0.kind) = ("secret", .deleted) }, after: nil, startsUnread: true,
                prefix: "row-")
        }
        #expect(!text.contains("secret") && text.contains("deleted text"))
        #expect(text.contains("<p class=\"unread-divider\">"))
    }

    @Test func aRefusalIsAPage() {
        let text = String(
            decoding: PageHTML.refusal(
                title: "Refused <x>", text: "The key is not pinned.", detail: ["expected: a", "seen: <b>"]),
            as: UTF8.self)
        #expect(text.hasPrefix("<!doctype html>"))
        #expect(text.contains("<h1 dir=\"auto\">Refused &lt;x&gt;</h1>"))
        #expect(text.contains("<li dir=\"auto\">seen: &lt;b&gt;</li>"))
        #expect(!text.contains("<script"))
    }

    @Test func theThemeIsAStyleSheet() {
        var appearance = Samples.appearance
        appearance.light = [
            "accent": "#336699ff", "font-message": "400 14px/1.4 \"Fira Sans\", system-ui", "bubble-radius": "14",
            "font-size": "16", "bad": "red;}body{display:none", "worse": "url(//evil.example)", "open": "\"",
            "Na me": "red",
        ]
        appearance.dark = ["accent": "#fff"]
        #expect(
            String(decoding: PageHTML.themeStyles(appearance), as: UTF8.self)
                == ":root{--chat-accent:#336699ff;--chat-bubble-radius:14px;"
                + "--chat-font-message:400 14px/1.4 \"Fira Sans\", system-ui;--chat-font-size:calc(16rem / 16);}\n"
                + "@media (prefers-color-scheme:dark){:root{--chat-accent:#fff;}}\n")
    }

    @Test func theFilesAreEmbedded() {
        #expect(PageFiles.all.map(\.path) == ["page.js", "page.css"])
        #expect(PageFile.digest(of: Array("a".utf8)) == "af63dc4c8601ec8c", "a test vector of FNV-1a")
        let script = String(decoding: PageFiles.script.bytes, as: UTF8.self)
        // The content security policy refuses some of these, and the others would interpret texts as HTML.
        for word in [
            "innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "http://",
        ] {
            #expect(!script.contains(word), "\(word)")
        }
        #expect(script.hasSuffix("\n") && script.hasPrefix("//"))
    }
}
