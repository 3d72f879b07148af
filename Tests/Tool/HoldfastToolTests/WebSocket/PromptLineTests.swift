import HoldfastWebSocket
import Testing

@testable import HoldfastTool

/// Parsing of lines at the prompt.
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
        ("/", "there is no command /:"),
        ("/nothing", "there is no command /nothing: /help lists the commands, and //nothing"),
        ("/Ping", "no command /Ping"), ("/\u{1B}[2J", "no command /\\u{1b}[2J"),
        ("/ping now", "/ping takes no argument"), ("/file", "/file needs a path"), ("/file  ", "/file needs a path"),
        ("/file /tmp/a b", "quote a path that contains spaces"), (#"/file "a"#, "not closed"),
        ("/binary 0", "one is left over"), ("/binary 0g", "character 2 is 'g'"), ("/binary 0x00", "character 2 is 'x'"),
        ("/binary ٣٣", "character 1 is"), ("/close now", "but got 'now'"), ("/close -1", "but got '-1'"),
        ("/close 99999", "but got '99999'"), ("/close 999", "999 is not a valid close code"),
        ("/close 1005", "1005 is not a valid close code"),
        ("/close 1006", "1006 is not a valid close code"), ("/close 5000", "5000 is not a valid close code"),
        ("/close 1000 \(String(repeating: "é", count: 62))", "124 bytes of UTF-8, but the limit is 123"),
    ])
    func mistakes(line: String, words: String) {
        let error = #expect(throws: ToolError.self) { try PromptLine(line) }
        #expect(error?.sentence.contains(words) == true, "\(error?.sentence ?? "")")
        #expect(error?.status == .unusableInput)
    }

    @Test func commandListIsComplete() {
        for word in ["//", "/binary", "/file", "/ping", "/close", "/help"] {
            #expect(PromptLine.commandList.contains(word))
        }
    }
}
