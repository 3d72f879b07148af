import HoldfastLint
import Testing

@testable import HoldfastTool

/// GitHub's runner executes each line of a job's output that begins with `::`. These tests try to add such lines, or
/// properties, with the text of files and servers.
@Suite("Annotations of GitHub Actions") struct WorkflowCommandTests {
    @Test func annotationIsOneCommand() {
        let annotation = Annotation(
            level: .warning, code: "expires-soon", message: "the pins expire", remedy: "Ship a policy.",
            file: "App/policy.json", line: 5, column: 7, subject: "domains[0]")
        #expect(
            WorkflowCommand.lines([annotation]) == [
                "::warning file=App/policy.json,line=5,col=7,title=expires-soon::the pins expire%0AShip a policy."
            ])
        #expect(WorkflowCommand.lines([]).isEmpty)
    }

    @Test(arguments: [(Annotation.Level.error, "error"), (.warning, "warning"), (.note, "notice")])
    func levelIsACommand(_ level: Annotation.Level, _ command: String) {
        // A position without a file would be one of the workflow's own file.
        let annotation = Annotation(level: level, code: "c", message: "m", line: 3, column: 1)
        #expect(WorkflowCommand.lines([annotation]) == ["::\(command) title=c::m"])
    }

    @Test(arguments: [
        ("100%", "100%25", "100%25"), ("a\nb", "a%0Ab", "a%0Ab"), ("a\r\nb", "a%0D%0Ab", "a%0D%0Ab"),
        ("a:b,c", "a:b,c", "a%3Ab%2Cc"), ("%0A", "%250A", "%250A"), ("::x::", "::x::", "%3A%3Ax%3A%3A"),
        ("\u{1B}[31m", "\\u{1b}[31m", "\\u{1b}[31m"), ("\u{2028}", "\\u{2028}", "\\u{2028}"), ("ü", "ü", "ü"),
        ("", "", ""),
    ]) func charactersAreEscaped(_ text: String, _ data: String, _ property: String) {
        #expect(WorkflowCommand.data(text) == data)
        #expect(WorkflowCommand.property(text) == property)
    }

    @Test(arguments: [
        "x\n::error::forged", "x\r::add-mask::a", "x\r\n::stop-commands::t", "x,line=1,title=forged", "x::forged",
        "x\u{85}::error::forged", "x\u{2028}::error::forged", "%0A::error::forged",
    ]) func textCannotAddACommand(_ text: String) {
        let annotation = Annotation(
            level: .error, code: "code", message: text, remedy: text, advice: text, file: text, line: 1, column: 1)
        let lines = WorkflowCommand.lines([annotation])
        #expect(lines.count == 1)
        for line in lines {
            #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control })
            #expect(!line.unicodeScalars.contains { ["\u{2028}", "\u{2029}"].contains($0) })
            // The properties end at the first separator, and there are exactly the known ones.
            let properties = line.dropFirst("::error ".count).prefix { $0 != ":" }
            #expect(
                properties.split(separator: ",").map { $0.prefix { $0 != "=" } } == ["file", "line", "col", "title"])
        }
    }
}
