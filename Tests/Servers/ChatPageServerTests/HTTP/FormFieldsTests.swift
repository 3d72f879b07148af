import ChatCenterCore
import ChatPage
import HTTPTypes
import Testing

@testable import ChatPageServer

@Suite("Forms without JavaScript")
struct FormFieldsTests {
    @Test("Fields are decoded")
    func decoding() throws {
        let fields = try FormFields(urlencoded: Array("intent=send&text=a%2Bb+c%0D%0Ad%C3%A4&empty=".utf8))
        #expect(fields["intent"] == "send")
        #expect(fields["text"] == "a+b c\r\ndä")
        #expect(fields["empty"] == "")
        #expect(fields["none"] == nil)
    }

    @Test("Malformed forms are refused", arguments: ["a", "a=%", "a=%zz", "a=1&a=2", "a=%FF", "=%"])
    func malformed(text: String) {
        #expect(throws: PageFailure.self) { try FormFields(urlencoded: Array(text.utf8)) }
    }

    @Test("Too many fields are refused")
    func limit() {
        let text = (0...FormFields.limit).map { "f\($0)=1" }.joined(separator: "&")
        #expect(throws: PageFailure.self) { try FormFields(urlencoded: Array(text.utf8)) }
    }

    private func intent(_ fields: [String: String]) throws -> PageIntent {
        try PageIntent(form: FormFields(fields)) { "new" }
    }

    @Test("Each intent of a form")
    func intents() throws {
        #expect(try intent(["intent": "send", "text": "a\r\nb", "id": "1"]) == .send(id: MessageID("1"), text: "a\nb"))
        #expect(try intent(["intent": "send", "text": "a"]) == .send(id: MessageID("new"), text: "a"))
        #expect(
            try intent(["intent": "press", "message": "m", "index": "2", "id": "i"])
                == .press(id: MessageID("i"), message: MessageID("m"), index: 2))
        #expect(
            try intent(["intent": "rate", "survey": "s", "question": "7", "rate": "5"])
                == .rate(survey: MessageID("s"), question: 7, rate: 5))
        #expect(try intent(["intent": "quote", "message": ""]) == .quote(message: nil))
        #expect(try intent(["intent": "loadOlder"]) == .loadOlder)
        #expect(
            try intent(["intent": "comment", "survey": "s", "text": "x"]) == .comment(survey: MessageID("s"), text: "x")
        )
    }

    @Test(
        "Incomplete intents are refused",
        arguments: [
            [:], ["intent": "unknown"], ["intent": "press", "message": "m"], ["intent": "press", "index": "1"],
            ["intent": "press", "message": "m", "index": "x"], ["intent": "retry"],
            ["intent": "delete", "message": ""],
            ["intent": "rate", "survey": "s", "question": "q", "rate": "1"], ["intent": "appeared"],
        ])
    func incomplete(fields: [String: String]) {
        #expect(throws: PageFailure.self) { try intent(fields) }
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
