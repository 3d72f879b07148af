import ChatCenterCore
import ChatPage
import HTTPTypes
import ServerKit
import Testing

@testable import ChatPageServer

@Suite("Forms without JavaScript")
struct FormIntentTests {
    private static let id = "0f8fad5b-d9cb-469f-a165-70867728950e"
    private static let newID = "11111111-1111-4111-8111-111111111111"

    private func intent(_ values: [String: String]) throws -> PageIntent {
        var fields = FormFields()
        for (name, value) in values { try fields.add(name, value) }
        return try PageRoutes.intent(fields) { Self.newID }
    }

    @Test("Each intent of a form")
    func intents() throws {
        let (id, newID, message) = (MessageID(Self.id), MessageID(Self.newID), MessageID("m"))
        #expect(
            try intent(["intent": "send", "text": "a\r\nb", "id": Self.id, "form": "token"])
                == .send(id: id, text: "a\nb"))
        #expect(try intent(["intent": "send", "text": "a"]) == .send(id: newID, text: "a"))
        #expect(try intent(["intent": "send", "text": "a", "id": ""]) == .send(id: newID, text: "a"))
        #expect(
            try intent(["intent": "press", "message": "m", "index": "2", "id": Self.id])
                == .press(id: id, message: message, index: 2))
        #expect(
            try intent(["intent": "rate", "survey": "m", "question": "7", "rate": "5"])
                == .rate(survey: message, question: 7, rate: 5))
        #expect(try intent(["intent": "quote", "message": ""]) == .quote(message: nil))
        #expect(try intent(["intent": "cancelUpload", "message": "m"]) == .cancelUpload(message: message))
        #expect(try intent(["intent": "loadOlder"]) == .loadOlder)
        #expect(
            try intent(["intent": "comment", "survey": "m", "text": "x"]) == .comment(survey: message, text: "x"))
    }

    @Test(
        "Incomplete and invalid intents are refused by the rules of the page protocol",
        arguments: [
            [:], ["intent": "unknown"], ["intent": "press", "message": "m"], ["intent": "press", "index": "1"],
            ["intent": "press", "message": "m", "index": "x"],
            ["intent": "press", "message": "m", "index": "1000"], ["intent": "retry"],
            ["intent": "delete", "message": ""], ["intent": "send", "text": "a", "id": "1"], ["intent": "send"],
            ["intent": "rate", "survey": "s", "question": "q", "rate": "1"],
        ])
    func incomplete(fields: [String: String]) {
        #expect(throws: PageProtocolError.self) { try intent(fields) }
    }

    @Test("Intents of the page's script are not forms", arguments: ["appeared", "disappeared", "typed", "opened"])
    func scripts(name: String) {
        #expect(throws: PageFailure.invalid("intent")) {
            try intent(["intent": name, "text": "", "url": "https://chat.example"])
        }
    }
}

@Suite("Names and places")
struct NamesTests {
    @Test(
        "A file's name never contains a path",
        arguments: [
            ("a.png", "a.png"), ("../../etc/passwd", "passwd"), ("..\\..\\boot.ini", "boot.ini"), ("/a/b/", "b"),
            ("", "file"), (".", "file"), ("..", "file"), ("a\u{0}b\nc.txt", "abc.txt"),
            ("a\u{202E}gnp.exe", "agnp.exe"),
            ("été.pdf", "été.pdf"),
        ])
    func display(name: String, expected: String) { #expect(FileNames.display(name) == expected) }

    @Test("A download's name is encoded")
    func disposition() {
        #expect(FileNames.disposition("a b\"\r\n.txt", inline: false) == "attachment; filename*=UTF-8''a%20b%22.txt")
        #expect(FileNames.disposition(nil, inline: true) == "inline; filename*=UTF-8''file")
        #expect(FileNames.display(String(repeating: "a", count: 9_999)).count == 255)
    }

    @Test("The place of a page in the sequence of changes")
    func places() throws {
        #expect(try PagePlace("client=abcd-1234&after=17").number == 17)
        #expect(try PagePlace("client=abcd-1234").number == nil)
        #expect(try PagePlace("client=abcd-1234&after=17", lastEvent: "19").number == 19)
        for bad in [
            nil, "", "client=short", "client=abcd 1234", "client=abcd-1234&after=-1", "client=abcd-1234&after=x",
        ] {
            #expect(throws: PageFailure.self) { try PagePlace(bad) }
        }
        #expect(throws: PageFailure.self) { try PagePlace("client=" + String(repeating: "a", count: 65)) }
    }

    @Test("A visitor's identifier is neither in the folder's nor in the session's name")
    func visitors() {
        let visitor = ChatPageVisitor("../maria@example.com")
        #expect(visitor.folderName.count == 64)
        #expect(visitor.folderName.allSatisfy { $0.isHexDigit })
        #expect(visitor.folderName != ChatPageVisitor("omar").folderName)
        #expect(!visitor.folderName.hasPrefix(visitor.sessionName))
        #expect(!"\(visitor)".contains("maria"))
    }

    @Test("Only pictures and sound are presented in the page")
    func presentation() {
        let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
        func present(_ type: String?, _ bytes: [UInt8]) -> String {
            let result = DownloadRoutes.presentation(type, bytes, isInline: true)
            return "\(result.name) \(result.isInline)"
        }
        #expect(present("text/html", png) == "image/png true")
        #expect(present("image/svg+xml", Array("<svg/>".utf8)) == "application/octet-stream false")
        #expect(present("image/png", Array("<html>".utf8)) == "application/octet-stream false")
        #expect(present("text/html", Array("<html>".utf8)) == "application/octet-stream false")
        #expect(present("audio/ogg; codecs=opus", [1]) == "audio/ogg true")
        #expect(present(nil, []) == "application/octet-stream false")
        #expect(DownloadRoutes.presentation("audio/ogg", [1], isInline: false).isInline == false)
    }
}
