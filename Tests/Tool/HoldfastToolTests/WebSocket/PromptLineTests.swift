import HoldfastWebSocket
import Testing

@testable import HoldfastTool

/// What a line at the prompt asks for.
@Suite("Tool: ws, lines") struct PromptLineTests {
    @Test(arguments: [
        ("Hello", PromptLine.text("Hello")), (" /ping", .text(" /ping")), ("//ping", .text("/ping")),
        ("///", .text("//")), ("", .nothing), (" ", .text(" ")), ("/ping", .ping), ("/ping  ", .ping),
        ("/help", .help), ("/binary", .binary([])), ("/binary 00ff80", .binary([0, 255, 128])),
        ("/binary 0 0\tFf ", .binary([0, 255])), (#"/file "/tmp/a b""#, .file("/tmp/a b")),
        ("/file /tmp/a ", .file("/tmp/a")),
        ("/close", .close(.normal, reason: "")), ("/close 1001", .close(.goingAway, reason: "")),
        ("/close 1000 see you  later", .close(.normal, reason: "see you  later")),
        (
            "/close 1011 \(String(repeating: "x", count: 123))",
            .close(.internalError, reason: String(repeating: "x", count: 123))
        ),
    ])
    func lines(line: String, meaning: PromptLine) throws {
        #expect(try PromptLine(line) == meaning)
    }

    @Test(arguments: [
        ("/", "there is no command /;"),
        ("/nothing", "there is no command /nothing; /help tells them all, and //nothing"),
        ("/Ping", "no command /Ping"), ("/\u{1B}[2J", "no command /\\u{1b}[2J"),
        ("/ping now", "nothing may follow /ping"), ("/file", "/file wants a path"), ("/file  ", "/file wants a path"),
        ("/file /tmp/a b", "in quotation marks"), (#"/file "a"#, "not closed"),
        ("/binary 0", "one is left over"), ("/binary 0g", "'g', character 2,"), ("/binary 0x00", "'x', character 2,"),
        ("/binary ٣٣", "character 1,"), ("/close now", "'now' is none"), ("/close -1", "'-1' is none"),
        ("/close 99999", "'99999' is none"), ("/close 999", "cannot carry 999"), ("/close 1005", "cannot carry 1005"),
        ("/close 1006", "cannot carry 1006"), ("/close 5000", "cannot carry 5000"),
        ("/close 1000 \(String(repeating: "é", count: 62))", "124 bytes of UTF-8, and 123 have room"),
    ])
    func mistakes(line: String, words: String) {
        let error = #expect(throws: ToolError.self) { try PromptLine(line) }
        #expect(error?.sentence.contains(words) == true, "\(error?.sentence ?? "")")
        #expect(error?.status == .unusableInput)
    }

    @Test func everyCommandIsTold() {
        for word in ["//", "/binary", "/file", "/ping", "/close", "/help"] {
            #expect(PromptLine.commandList.contains(word))
        }
    }
}
