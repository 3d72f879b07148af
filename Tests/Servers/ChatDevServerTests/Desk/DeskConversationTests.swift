import ChatServerCore
import ChatWire
import Foundation
import HTTPTypes
import HoldfastTransport
import ServerMarkup
import Testing

@testable import ChatDevServer

@Suite("Conversations at the desk", .timeLimit(.minutes(1)))
struct DeskConversationTests {
    // MARK: Writing

    @Test("A reply reaches the client with the operator's name, a note does not")
    func reply() async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            let socket = try await subject.join("alice")
            try await socket.say("Hello", uuid: "u1")
            let inbox = try await ada.page()
            #expect(inbox.contains("data-id=\"alice\" data-state=\"waiting\" data-waiting=\""))
            #expect(try await ada.post("notes", ["id": "n1", "text": "Secret note"]).status == 303)
            let sent = try await ada.reply("Good\r\nmorning", id: "r1")
            #expect(sent.status == 303)
            #expect(sent.response.headerFields[.location] == "/desk/conversations/alice")
            // A form that is sent twice sends one message.
            #expect(try await ada.reply("Good\r\nmorning", id: "r1").status == 303)
            let message = try await socket.message("Good\nmorning")
            #expect(message.content.operator?.name == "Ada")
            let page = try await ada.page("/desk/conversations/alice")
            #expect(page.components(separatedBy: ">Good\nmorning</div>").count == 2)
            #expect(page.contains("<div class=\"text\" dir=\"auto\">Secret note</div>"))
            #expect(page.contains("data-author=\"note\""))
            #expect(page.contains("assigned to you"))
            let history = try await subject.history()
            #expect(!"\(history)".contains("Secret note"))
        }
    }

    @Test("Reading, typing and closing with a survey reach the client")
    func actions() async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            let socket = try await subject.join("alice")
            try await socket.say("Hello", uuid: "u1")
            let page = try await ada.page("/desk/conversations/alice")
            #expect(page.contains("Mark as read"))
            let field = try #require(page.firstRange(of: "name=\"through\" value=\""))
            let last = String(page[field.upperBound...].prefix { $0 != "\"" })
            let json: HTTPFields = [.accept: "application/json"]
            let read = try await ada.post("read", ["through": last], headers: json)
            #expect(read.text == #"{"result":"done"}"#)
            #expect(!(try await ada.page("/desk/conversations/alice").contains("Mark as read")))
            #expect(try await ada.post("typing", headers: json).status == 200)
            _ = try await socket.push { $0.content.wireType == "TYPING" }
            #expect(try await ada.post("close", ["survey": "yes"]).status == 303)
            _ = try await socket.push { $0.content.wireType.hasSuffix("SURVEY") }
            _ = try await socket.push { $0.content.body == .threadClosed }
            let again = try await ada.post("close", headers: json)
            #expect(again.status == 409)
            #expect(again.refusal == "nothingToDo")
        }
    }

    @Test("A conversation is assigned to one operator, and a refused reply keeps its text")
    func assignment() async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            let ben = try await DeskClient(subject, as: "Ben")
            let socket = try await subject.join("alice")
            try await socket.say("Hello", uuid: "u1")
            #expect(try await ada.post("claim").status == 303)
            let json: HTTPFields = [.accept: "application/json"]
            let refused = try await ben.reply("Me, too", headers: json)
            #expect(refused.status == 409)
            #expect(refused.refusal == "assigned")
            #expect(try await ben.post("claim", headers: json).refusal == "assigned")
            // The page names the colleague, and offers to take over.
            let page = try await ben.page("/desk/conversations/alice")
            #expect(page.contains("assigned to <bdi>Ada</bdi>"))
            #expect(page.contains("name=\"from\" value=\"ada\""))
            #expect(!page.contains("id=\"close\""))
            #expect(try await ben.post("claim", ["from": "ada"]).status == 303)
            let long = try await ben.reply(String(repeating: "x", count: 4_001), id: "r1")
            #expect(long.status == 422)
            #expect(long.text.contains(String(repeating: "x", count: 4_001)))
            #expect(long.text.contains("at most 4000 characters"))
        }
    }

    @Test("A missing conversation is not found")
    func missing() async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            #expect(try await ada.get("/desk/conversations/nobody").status == 404)
            #expect(try await ada.get("/desk/conversations/%zz").status == 400)
            #expect(try await ada.post("claim", client: "nobody").status == 404)
            #expect(try await ada.reply("Hello", client: "nobody").status == 404)
        }
    }

    // MARK: Files

    @Test("Files are sent and served as attachments; only safe types are shown in the page")
    func files() async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            let socket = try await subject.join("alice")
            let image = (name: "a b.png", type: "image/png", bytes: [UInt8]([0x89, 0x50, 0x4E, 0x47]))
            let drawing = (name: "b.png", type: "image/svg+xml", bytes: Array("<svg onload='x()'/>".utf8))
            #expect(try await ada.reply("", files: [image, drawing]).status == 303)
            let message = try await socket.push { $0.content.attachments.count == 2 }
            let ids = message.content.attachments.compactMap(\.result)
            try #require(ids.count == 2)
            let page = try await ada.page("/desk/conversations/alice")
            #expect(page.contains("<img src=\"/desk/files/\(ids[0])?inline\""))
            #expect(!page.contains("<img src=\"/desk/files/\(ids[1])"))
            for (id, type, isShown) in [(ids[0], "image/png", true), (ids[1], "image/svg+xml", false)] {
                let file = try await ada.get("/desk/files/\(id)")
                #expect(file.response.headerFields[.contentType] == type)
                #expect(file.response.headerFields[.contentDisposition]?.hasPrefix("attachment") == true)
                #expect(file.response.headerFields[.xContentTypeOptions] == "nosniff")
                #expect(file.response.headerFields[.contentSecurityPolicy]?.contains("default-src 'none'") == true)
                let inline = try await ada.get("/desk/files/\(id)?inline")
                #expect((inline.response.headerFields[.contentDisposition] == "inline") == isShown)
            }
            let stranger = try await subject.request(.get, "/desk/files/\(ids[0])")
            #expect(stranger.status == 401)
            #expect(try await ada.get("/desk/files/..%2f..%2fetc%2fpasswd").status == 404)
        }
    }

    @Test("A file above the limits is refused, and nothing is sent")
    func fileLimits() async throws {
        try await DeskClient.serving({
            $0.configurationPatch =
                #"{"attachmentSettings":{"content":{"content":{"maxSize":1,"fileExtensions":["txt"]}}}}"#
        }) { subject in
            let ada = try await DeskClient(subject)
            _ = try await subject.join("alice")
            let large = (name: "a.txt", type: "text/plain", bytes: [UInt8](repeating: 0x61, count: (1 << 20) + 1))
            let program = (name: "a.exe", type: "text/plain", bytes: [UInt8]([1]))
            let many = Array(repeating: (name: "a.txt", type: "text/plain", bytes: [UInt8]([1])), count: 40)
            for (files, status) in [([large], 413), ([program], 415), (many, 400)] {
                let answer = try await ada.reply("Hello", files: files, headers: [.accept: "application/json"])
                #expect(answer.status == status)
            }
            #expect(!(try await ada.page("/desk/conversations/alice").contains("Hello")))
        }
    }

    // MARK: Canned answers

    @Test("Canned answers are inserted, and sent with their files")
    func canned() async throws {
        let folder = try TemporaryDirectory()
        _ = try folder.write(Array("Terms".utf8), to: "terms.txt")
        let list = try folder.write(
            Array(
                """
                {"holdfastCannedAnswers": 1, "answers": [
                    {"name": "Greeting", "text": "Hello <there>"},
                    {"name": "Terms", "text": "Our terms", "files": ["terms.txt"]}]}
                """.utf8), to: "canned.json")
        let answers = try CannedAnswers(file: list)
        #expect(answers.count == 2)
        try await DeskClient.serving({
            $0.cannedAnswers = answers
        }) { subject in
            let ada = try await DeskClient(subject)
            let socket = try await subject.join("alice")
            let page = try await ada.page("/desk/conversations/alice?canned=0")
            #expect(page.contains("aria-describedby=\"reply-help reply-error\">Hello &lt;there&gt;</textarea>"))
            let terms = try await ada.page("/desk/conversations/alice?canned=1")
            #expect(terms.contains("<input type=\"hidden\" name=\"canned\" value=\"1\">"))
            #expect(terms.contains("With terms.txt"))
            #expect(try await ada.page("/desk/conversations/alice?canned=99").contains("Hello &lt;there&gt;"))
            #expect(try await ada.reply("Our terms", more: ["canned": "1"]).status == 303)
            let message = try await socket.message("Our terms")
            #expect(message.content.attachments.map(\.name) == ["terms.txt"])
            #expect(message.content.attachments.map(\.size) == [5])
        }
    }

    @Test("Invalid canned answers are refused with position and reason")
    func invalidCanned() throws {
        let cases: [(String, ScriptProblem.Code)] = [
            ("{", .json), ("[]", .wrongType), (#"{"holdfastCannedAnswers": 2, "answers": []}"#, .version),
            (#"{"holdfastCannedAnswers": 1}"#, .missingKey),
            (#"{"holdfastCannedAnswers": 1, "answers": [{"name": "a"}]}"#, .missingKey),
            (#"{"holdfastCannedAnswers": 1, "answers": [{"name": "a", "text": " "}]}"#, .invalidValue),
            (#"{"holdfastCannedAnswers": 1, "answers": [{"name": "a", "text": "b", "file": 1}]}"#, .unknownKey),
            (#"{"holdfastCannedAnswers": 1, "answers": [{"name": "a", "text": "b", "files": ["no"]}]}"#, .invalidValue),
        ]
        for (text, code) in cases {
            let error = #expect(throws: ChatScriptError.self, "\(text)") {
                try CannedAnswers(json: Array(text.utf8), folder: "/nowhere/")
            }
            #expect(error?.problems.contains { $0.code == code } == true, "\(text): \(error?.description ?? "")")
        }
        let many = (0...CannedAnswers.maximumCount).map { _ in #"{"name":"a","text":"b"}"# }.joined(separator: ",")
        let error = #expect(throws: ChatScriptError.self) {
            try CannedAnswers(json: Array(#"{"holdfastCannedAnswers":1,"answers":[\#(many)]}"#.utf8))
        }
        #expect(error?.problems.first?.code == .tooMany)
    }

    // MARK: Search

    @Test("A search finds clients, messages and notes, and leads to the surroundings of a hit")
    func search() async throws {
        try await DeskClient.serving { subject in
            let ada = try await DeskClient(subject)
            let socket = try await subject.join("alice")
            try await socket.say("My order is late", uuid: "u1")
            _ = try await ada.post("notes", ["id": "n1", "text": "Order 17"])
            let page = try await ada.page("/desk/search?q=ORDER")
            #expect(page.contains("2 results for <bdi>ORDER</bdi>"))
            let link = try #require(page.firstRange(of: "/desk/conversations/alice?around="))
            let id = String(page[link.upperBound...].prefix { $0 != "#" })
            #expect(try await ada.page("/desk/conversations/alice?around=\(id)").contains("id=\"m-\(id)\""))
            #expect(try await ada.page("/desk/search?q=my+order").contains("1 result for"))
            #expect(try await ada.page("/desk/search?q=ali%63e").contains("1 result for"))
            #expect(try await ada.get("/desk/search?q=" + String(repeating: "x", count: 300)).status == 422)
        }
    }

    // MARK: Hostile texts

    static let hostile = [
        "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg onload=alert(1)>", "' onmouseover='x",
        "</textarea><script>x</script>", "</title><script>", "<!--", "]]>", "javascript:alert(1)", "&lt;b&gt;",
        "\u{202E}txt.exe", "a\u{0}b\u{8}c\u{9B}d", "<a href=//evil.example>x</a>", "{{constructor}}", "\u{2028}<b>",
    ]

    @Test("No text that anyone has written becomes markup", arguments: hostile)
    func escaping(_ text: String) async throws {
        let answers = try CannedAnswers(
            json: JSONValue.object([
                "holdfastCannedAnswers": .integer(1),
                "answers": .array([.object(["name": .string(text), "text": .string(text)])]),
            ]).bytes)
        try await DeskClient.serving({
            $0.cannedAnswers = answers
        }) { subject in
            let ada = try await DeskClient(subject)
            let before = try await ada.page()
            let position = try #require(DeskClient.meta("desk-position", in: before))
            let socket = try await subject.join(text)
            let file = Attachment(
                result: "https://evil.example/\(text)", name: text, type: text, size: 1, state: .ready)
            try await socket.say(text, uuid: "u1", attachments: [file])
            let client = ChatDialect.percentEncoded(text)
            _ = try await ada.post("notes", ["id": "n", "text": text], client: text)
            _ = try await ada.reply(text, id: "r", client: text, headers: [.accept: "application/json"])
            let events = try await ada.follow(
                client: text, after: position, until: { events in events.contains { $0.kind == "note" } })
            let pages = [
                try await ada.page(), try await ada.page("/desk/conversations/\(client)?canned=0"),
                try await ada.page("/desk/search?q=\(client)"),
            ]
            let markup = pages + events.map(\.html) + events.compactMap { $0.data["head"]?.stringValue }
            let escaped = HTML.escaped(text)
            #expect(pages[1].contains(">\(escaped)</div>"))
            for part in markup {
                for bad in ["<script>", "<img src=x", "<svg", "<!--", "<b>", "<a href=//", "evil.example/\(text)\""] {
                    #expect(!part.contains(bad), "\(bad)")
                }
                // Each attribute ends where the page's own markup ends it.
                #expect(!part.contains("\"><svg"))
                #expect(!part.contains("' onmouseover="))
                #expect(!part.contains("href=\"javascript"))
                #expect(!part.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" && $0 != "\t" })
            }
        }
    }

    @Test("Markup has exactly these escapes")
    func escapes() {
        #expect(HTML.escaped("<>&\"'") == "&lt;&gt;&amp;&quot;&#39;")
        #expect(HTML.escaped("a\u{0}\u{1B}\u{7F}\u{85}\r\n\tb") == "a\u{FFFD}\u{FFFD}\u{FFFD}\u{FFFD}\n\tb")
        let hostile = "<b>"
        let part: HTML = "<i>\(hostile)</i>"
        #expect(
            ("<p>\(part)\([part, part])\(nil as HTML?)\(7)</p>" as HTML).text.components(separatedBy: "&lt;b&gt;").count
                == 4)
    }
}
