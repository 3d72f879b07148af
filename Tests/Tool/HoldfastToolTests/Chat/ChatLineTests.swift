import Testing

@testable import HoldfastTool

@Suite("Tool: chat, lines")
struct ChatLineTests {
    static let lines: [(String, ChatLine)] = [
        ("Hello", .text("Hello")), (" /file", .text(" /file")), ("//help", .text("/help")), ("", .nothing),
        ("  ", .nothing),
        ("/file a.png", .file("a.png", text: nil)), ("/file a.png Look here ", .file("a.png", text: "Look here")),
        (#"/file "my file.png" Look"#, .file("my file.png", text: "Look")),
        ("/get -3", .get(-3, file: 1, to: nil)), ("/retry 0", .retry(0)), ("/get 3", .get(3, file: 1, to: nil)),
        ("/get 3 2 out.png", .get(3, file: 2, to: "out.png")),
        ("/get 3 out.png", .get(3, file: 1, to: "out.png")), ("/press 2", .press(2)), ("/older", .older),
        ("/search red shoes", .search("red shoes")), ("/search", .search(nil)), ("/retry 12", .retry(12)),
        ("/show 2", .show(.hit(2))), ("/show older", .show(.older)), ("/show newer ", .show(.newer)),
        ("/show close", .show(.close)),
        ("/delete 12", .delete(12)), ("/rate 5", .rate(5, question: 1)), ("/rate 5 2", .rate(5, question: 2)),
        ("/comment too slow", .comment("too slow")), ("/submit", .submit), ("/close", .closeThread),
        ("/reopen", .reopenThread), ("/reload", .reload), ("/status", .status), ("/help", .help), ("/quit ", .quit),
    ]

    @Test(arguments: 0..<33) func parsesLines(_ index: Int) throws {
        #expect(try ChatLine(Self.lines[index].0) == Self.lines[index].1)
    }

    @Test(
        arguments: [
            ("/sing", "no command"), ("/file", "needs a path"), (#"/file "a"#, "not closed"),
            ("/get", "number of a row"),
            ("/get x", "but got 'x'"), ("/press -1", "but got '-1'"), ("/press 9999999999", "but got"),
            ("/get --1", "but got"), ("/retry -", "but got"), ("/retry 1 2", "takes no further argument"),
            ("/older now", "takes no further argument"), ("/comment", "needs a text"),
            ("/show", "number of a search result"), ("/show all", "but got 'all'"),
            ("/show older 2", "takes no further argument"),
            ("/rate", "needs a number"), ("/rate 5 x", "takes no further argument"),
        ])
    func invalidLinesAreReportedInOneSentence(_ line: String, _ words: String) {
        let error = #expect(throws: ToolError.self) { try ChatLine(line) }
        #expect(error?.sentence.contains(words) == true, "\(error?.sentence ?? "")")
        #expect(error?.sentence.contains("\n") == false)
    }

    @Test func describesValidChoices() {
        #expect(ChatLine.choices("question", 0, none: "the survey has no question") == "the survey has no question")
        #expect(ChatLine.choices("question", 1, none: "") == "there is only question 1")
        #expect(ChatLine.choices("button", 3, none: "") == "there are buttons 1 to 3")
    }

    @Test func commandListIsComplete() {
        for (line, _) in Self.lines where line.hasPrefix("/") && !line.hasPrefix("//") {
            let command = line.split(separator: " ")[0]
            #expect(ChatLine.commandList.contains(command), "\(command)")
        }
    }
}
