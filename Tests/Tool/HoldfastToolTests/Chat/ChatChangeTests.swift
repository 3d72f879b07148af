import Foundation
import Testing

@testable import HoldfastTool

@Suite("Tool: chat, changes")
struct ChatChangeTests {
    private static let row = ChatRow(
        id: "m1", author: .other("Vera\u{1B}[2J"), kind: "message", text: "Hello\nthere\u{202E}",
        files: [ChatRow.File(name: "a.png", type: "image/png", bytes: 12, state: "ready")], quotes: ["Hi"],
        buttons: ["Yes", "No"], isEdited: true, time: 1_900_000_000_000)
    private static let own = ChatRow(
        id: "m2", author: .me, kind: "message", text: "Hm", state: "failed", failure: "no answer came in time", time: 2)
    private static let survey = ChatPicture.Survey(
        id: "s", kind: "buttons",
        questions: [
            .init(id: 1, text: "How?", minimum: 1, maximum: 2, buttons: [.init(text: "Bad", rate: 1)], rate: 2)
        ], asksForComment: true)

    static let all: [(ChatChange, String, [String])] = [
        (.connection("waiting", detail: "try 2 follows"), "connection", ["connection: waiting, try 2 follows"]),
        (
            .row(4, row, isOlder: false), "row",
            [
                "  > Hi", "[4] <Vera\\u{1b}[2J>: Hello (edited)", "    | there\\u{202e}",
                "    file 1: a.png, 12 bytes, ready",
                "    button 1: Yes", "    button 2: No",
            ]
        ),
        (
            .state(5, own), "state",
            ["[5] failed: no answer came in time. /retry 5 sends it again, /delete 5 deletes it"]
        ),
        (.gone(5, id: "m2"), "gone", ["row 5 was removed"]), (.typing("Vera"), "typing", ["<Vera> is typing"]),
        (.typing(nil), "typing", []), (.banner("no connection"), "banner", ["! no connection"]),
        (.bannerGone("no connection"), "bannerGone", ["resolved: no connection"]),
        (.input(blocked: "closed"), "input", ["messages cannot be written: closed"]),
        (.unread(2), "unread", ["2 unread"]),
        (.paging("atBeginning"), "paging", ["the conversation begins here"]),
        (
            .survey(survey), "survey",
            [
                "question 1: How? (1 to 2, 2 chosen)", "    1: Bad",
                "/comment TEXT adds a comment; /submit sends the answers",
            ]
        ),
        (
            .search(ChatPicture.Search(text: "a", rows: [own], total: 3, hasMore: true, isLocal: true)), "search",
            [
                "\"a\": 1 of 3 found on this device; /search shows more", "  result 1: me (failed): Hm",
                "/show RESULT shows the messages around a result",
            ]
        ),
        (
            .context(
                ChatPicture.Context(target: "m2", rows: [row, own], older: .failed("no\nroute"), newer: .atEnd),
                new: [row, own]), "context",
            [
                "around the result:", "         <Vera\\u{1b}[2J>: Hello there\\u{202e} [1 file]",
                "  result me (failed): Hm", "    more messages could not be loaded: no route",
                "/show older, /show close",
            ]
        ),
        (.contextGone, "contextGone", ["the messages around the result are closed"]),
        (.failed("socket: timed out"), "failed", ["! socket: timed out"]),
        (.file(name: "a.png", path: "/tmp/a.png"), "file", ["file \"a.png\" is in /tmp/a.png"]),
        (.ended(received: 1, failed: 1, unsent: 2), "ended", ["ended: 1 message received, 1 failed, 2 not sent"]),
    ]

    @Test(arguments: 0..<18) func formatsLinesAndJSON(_ index: Int) throws {
        let (change, name, lines) = Self.all[index]
        #expect(change.lines == lines)
        let json = change.json(at: .milliseconds(1_234))
        // JSON contains no terminal control characters and no line breaks.
        #expect(json.utf8.allSatisfy { (0x20..<0x7F).contains($0) })
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["event"] as? String == name)
        #expect(object["atMillis"] as? Int == 1_234)
    }

    @Test func jsonContainsTheWholeRow() throws {
        let json = ChatChange.row(4, Self.row, isOlder: true).json(at: .zero)
        let object = try #require(try JSONSerialization.jsonObject(with: Data(json.utf8)) as? [String: Any])
        #expect(object["number"] as? Int == 4)
        #expect(object["older"] as? Bool == true)
        #expect(object["author"] as? String == "other")
        #expect(object["name"] as? String == "Vera\u{1B}[2J")
        #expect(object["text"] as? String == "Hello\nthere\u{202E}")
        #expect(object["edited"] as? Bool == true)
        #expect(object["buttons"] as? [String] == ["Yes", "No"])
        let file = try #require((object["files"] as? [[String: Any]])?.first)
        #expect(file["name"] as? String == "a.png")
        #expect(file["bytes"] as? Int == 12)
    }

    @Test func plainTextIsTheOtherSidesTextOnly() {
        #expect(ChatChange.row(1, Self.row, isOlder: false).plainText == #"Hello\nthere\u{202e}"#)
        #expect(ChatChange.row(1, Self.row, isOlder: true).plainText == nil)
        #expect(ChatChange.row(1, Self.own, isOlder: false).plainText == nil)
    }

    @Test func ownRowShowsItsState() {
        for isOlder in [true, false] {
            for state in ["queued", "uploading", "sending", "sent", "delivered", "read"] {
                var row = Self.own
                (row.state, row.failure) = (state, nil)
                #expect(ChatChange.row(7, row, isOlder: isOlder).lines == ["[7] me (\(state)): Hm"])
            }
            #expect(
                ChatChange.row(7, Self.own, isOlder: isOlder).lines == [
                    "[7] me (failed): Hm",
                    "    failed: no answer came in time. /retry 7 sends it again, /delete 7 deletes it",
                ])
        }
    }

    /// An attacker may choose a name that looks like this tool's own output.
    @Test(arguments: ["me", "--", "!", "me (sent)", "connection: ready", "[1] me", ""])
    func foreignNameDoesNotLookLikeToolOutput(_ name: String) {
        let row = ChatRow(
            id: "f", author: .other(name), kind: "message", text: "Pay\n[8] me: yes", time: 1)
        #expect(ChatChange.row(7, row, isOlder: false).lines == ["[7] <\(name)>: Pay", "    | [8] me: yes"])
        if !name.isEmpty { #expect(ChatChange.typing(name).lines == ["<\(name)> is typing"]) }
        let found = ChatPicture.Search(text: "a", rows: [row], total: 1)
        #expect(ChatChange.search(found).lines[1] == "  result 1: <\(name)>: Pay [8] me: yes")
        #expect(ChatChange.file(name: name, path: "/x").lines == ["file \"\(name)\" is in /x"])
    }

    @Test func repeatedReasonIsPrintedOnce() throws {
        #expect(ChatChange.failed("no connection", isRepeated: true).lines.isEmpty)
        #expect(ChatChange.failed("no connection", isRepeated: true).json(at: .zero).contains("no connection"))
    }

    @Test func mediaTypeFollowsFileName() {
        #expect(MediaTypes.type(ofFile: "/a/b.PNG") == "image/png")
        #expect(MediaTypes.type(ofFile: "/a.png/b") == "application/octet-stream")
        #expect(MediaTypes.type(ofFile: "") == "application/octet-stream")
    }
}
