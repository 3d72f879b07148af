import Foundation
import Testing

@testable import HoldfastTool

@Suite("holdfast manual") struct ManualTests {
    private func page() async -> String {
        let outcome = await ToolOutcome.of("manual")
        #expect(outcome.status == .success)
        #expect(outcome.notes.isEmpty)
        return outcome.output
    }

    @Test func sectionsAreThoseOfAManualPage() async {
        let lines = await page().split(separator: "\n")
        #expect(lines.first { !$0.hasPrefix(".\\\"") }?.hasPrefix(".TH \"HOLDFAST\" \"1\" ") == true)
        let sections = lines.filter { $0.hasPrefix(".SH ") }.map { $0.dropFirst(4).filter { $0 != "\"" } }
        #expect(
            sections == [
                "NAME", "SYNOPSIS", "DESCRIPTION", "OPTIONS", "COMMANDS", "EXIT STATUS", "ENVIRONMENT", "EXAMPLES",
                "SEE ALSO",
            ])
        let name = lines.firstIndex(of: ".SH \"NAME\"") ?? 0
        #expect(lines[name + 1].hasPrefix("holdfast \\- "))
    }

    @Test func everyCommandAndOptionIsDescribed() async throws {
        let page = await page()
        func check(_ command: CommandDescription) throws {
            let start = try #require(
                page.range(of: "\n.SS \"\(RoffText.escaped(command.fullName))\"\n"), "\(command.fullName)")
            let rest = page[start.upperBound...]
            let section = rest[..<(rest.range(of: "\n.SS ")?.lowerBound ?? rest.endIndex)]
            for argument in command.shownArguments {
                for name in argument.names ?? [] {
                    #expect(
                        section.contains("\\fB\(RoffText.escaped(name.text))\\fR"), "\(command.fullName) \(name.text)")
                }
                if argument.names == nil {
                    let value = RoffText.escaped(argument.valueName ?? "?")
                    #expect(section.contains("\\fI\(value)\\fR"), "\(command.fullName) \(value)")
                }
            }
            for subcommand in command.shownSubcommands { try check(subcommand) }
        }
        let tool = try CommandDescription.tool()
        #expect(tool.shownSubcommands.count >= 14)
        for command in tool.shownSubcommands { try check(command) }
        for command in CommandHelp.all.dropFirst() {
            #expect(page.contains("\n.SS \"\(RoffText.escaped(command.testDescription))\"\n"))
        }
        #expect(page.contains("\\-\\-version") && page.contains("\\-\\-help"))
    }

    /// The page has each exit code once, in ascending order. A signal has the codes of a shell.
    @Test func everyExitCodeIsExplained() async throws {
        let page = await page()
        let start = try #require(page.range(of: "\n.SH \"EXIT STATUS\"\n"))
        let end = try #require(page.range(of: "\n.SH ", range: start.upperBound..<page.endIndex))
        let section = page[start.upperBound..<end.lowerBound]
        let codes = section.matches(of: #/\.TP\n\\fB(\d+)\\fR\n/#).compactMap { Int32($0.1) }
        #expect(codes == ToolStatus.allCases.filter { $0 != .interrupted }.map(\.rawValue))
        #expect(section.contains("\\fB129, 130, 143\\fR"))
        #expect(ToolStatus.meanings.allSatisfy { $0.meaning.hasSuffix(".") })
    }

    /// Text cannot become a macro or an escape sequence.
    @Test func allTextIsEscaped() async {
        let macros: Set<String> = [".TH", ".SH", ".SS", ".PP", ".TP", ".br", ".RS", ".RE", ".nf", ".fi", ".\\\""]
        let escapes = #/\\(e|-|&|\((aq|dq|ga|ha|ti)|f[BIR]|\[u[0-9A-F]{4,6}\]|")/#
        for line in await page().split(separator: "\n") {
            #expect(line.utf8.allSatisfy { (0x20..<0x7F).contains($0) }, "\(line)")
            #expect(!line.hasPrefix("'"), "\(line)")
            if line.hasPrefix(".") { #expect(macros.contains(String(line.prefix { $0 != " " })), "\(line)") }
            #expect(!line.replacing(escapes, with: "").contains("\\"), "\(line)")
        }
    }

    @Test(arguments: [
        ("plain text", "plain text"), ("--option", "\\-\\-option"), ("a\\b", "a\\eb"), ("'x'", "\\(aqx\\(aq"),
        ("\"x\"", "\\(dqx\\(dq"), ("~/.zsh", "\\(ti/.zsh"), ("`a^b`", "\\(gaa\\(hab\\(ga"), ("10 ±", "10 \\[u00B1]"),
        ("…", "\\[u2026]"), ("\u{1F512}", "\\[u1F512]"), ("a\u{1B}b", "a b"),
    ]) func charactersAreEscaped(_ text: String, _ expected: String) {
        #expect(RoffText.escaped(text) == expected)
    }

    @Test func lineThatBeginsWithADotIsText() {
        var page = RoffText()
        page.line(.plain(".TH fake"))
        page.line(.plain("'fake"))
        page.verbatim([".so /etc/passwd"])
        #expect(page.text == "\\&.TH fake\n\\(aqfake\n.PP\n.RS 4\n.nf\n\\&.so /etc/passwd\n.fi\n.RE\n")
    }

    @Test(.enabled(if: ShellCommand.path(of: "groff") != nil, "groff is not installed"))
    func groffFormatsThePage() async throws {
        let folder = try TemporaryFolder()
        let file = ShellWord(try folder.file("holdfast.1", await page()))
        let warnings = try ShellCommand.run("groff -man -Tutf8 -ww -Wbreak -z \(file)")
        #expect(warnings.code == 0 && warnings.output.isEmpty, "\(warnings.output)")
        let text = try ShellCommand.run("groff -man -Tutf8 -P-cbou \(file)").output
        #expect(text.contains("EXIT STATUS"))
        #expect(text.contains("--trust-anchors"))
    }

    @Test(.enabled(if: ShellCommand.path(of: "mandoc") != nil, "mandoc is not installed"))
    func mandocFindsNoErrors() async throws {
        let folder = try TemporaryFolder()
        let file = ShellWord(try folder.file("holdfast.1", await page()))
        let result = try ShellCommand.run("mandoc -T lint -W error \(file)")
        #expect(result.code == 0, "\(result.output)")
    }
}
