import ArgumentParser
import Foundation
import HoldfastBase
import HoldfastLint
import HoldfastTrust
import Testing

@Suite("holdfast-lint") struct LintOptionsTests {
    let folder: LintedPackage

    init() throws {
        folder = try LintedPackage()
        try folder.policy("shop.holdfast.json", days: 40)
    }

    private func answer(
        _ arguments: String..., environment: [String: String] = [:]
    ) throws -> LintOptions.Answer {
        let options = try LintOptions.parse(["--package", folder.path] + arguments)
        return try options.answer(environment: environment, now: LintedPackage.now)
    }

    private func day(_ offset: Int64) -> String {
        LintedPackage.now.advanced(bySeconds: offset * 86_400).description
    }

    @Test("the time comes from the option, the environment or the clock, in this order")
    func timeOfTheCheck() throws {
        let variable = LintOptions.timeVariable
        #expect(try answer().passes)
        #expect(try !answer("--at", day(20)).passes)
        #expect(try !answer(environment: [variable: day(20)]).passes)
        #expect(try answer("--at", day(0), environment: [variable: day(20)]).passes)
        #expect(try answer(environment: [variable: ""]).passes)
        #expect(throws: LintFailure.self) { try answer(environment: [variable: "tomorrow"]) }
    }

    @Test("a time from the environment is shown, and an earlier one writes no stamp")
    func timeFromTheEnvironmentIsShown() throws {
        let variable = LintOptions.timeVariable
        let stamp = folder.path + "/Passed.swift"
        for format in ["text", "json", "sarif", "github"] {
            let answer = try answer(
                "--format", format, "--stamp", stamp, environment: [variable: "2020-01-01T00:00:00Z"])
            #expect(answer.passes && answer.note?.contains(variable) == true, "\(answer)")
            #expect(answer.note?.contains("2020-01-01T00:00:00Z") == true)
        }
        #expect(!FileManager.default.fileExists(atPath: stamp))
        #expect(try answer("--at", day(0)).note == nil)
        #expect(try answer("--stamp", stamp, environment: [variable: day(1)]).passes)
        #expect(FileManager.default.fileExists(atPath: stamp))
    }

    /// A pull request chooses the names of files, and a CI system reads the log.
    @Test(arguments: ["::stop-commands::x.holdfast.json", "##vso[x]y.holdfast.json"])
    func fileNamesAreNoCommands(_ name: String) throws {
        let finding = PolicyDiagnostic(.warning, .init(rawValue: "c"), "m", path: "")
        #expect(LintReport.line(finding, in: name).hasPrefix("./" + name))
    }

    @Test(arguments: ["json", "sarif"]) func controlCharactersAreEscaped(format: String) throws {
        try folder.policy("\u{9B}2J\u{202E}.holdfast.json", days: 40)
        let answer = try answer("--within-days", "41", "--format", format)
        #expect(!answer.passes)
        #expect(answer.text?.unicodeScalars.allSatisfy { $0 == "\n" || TerminalSafety.isSafe($0) } == true)
        #expect(try JSONSerialization.jsonObject(with: Data((answer.text ?? "").utf8)) is [String: Any])
    }

    @Test func textAndJSON() throws {
        #expect(try answer().text == "no findings in 1 file or folder")
        let text = try #require(try answer("--within-days", "41").text)
        #expect(text.hasPrefix("\(folder.path)/shop.holdfast.json:2:14: warning: "))
        #expect(text.hasSuffix("\n1 warning in 1 file or folder"))
        let json = try answer("--within-days", "41", "--format", "json")
        #expect(!json.passes)
        let object = try JSONSerialization.jsonObject(with: Data((json.text ?? "").utf8)) as? [String: Any]
        #expect(object?["clean"] as? Bool == false)
        #expect((object?["findings"] as? [[String: Any]])?.first?["code"] as? String == "expires-soon")
    }

    @Test("SARIF and workflow commands have the position of a finding")
    func annotations() throws {
        let log = try answer("--within-days", "41", "--format", "sarif")
        #expect(!log.passes)
        #expect(log.text?.contains("\"ruleId\": \"expires-soon\"") == true, "\(log.text ?? "")")
        #expect(log.text?.contains("\"startLine\": 2") == true)
        let lines = try answer("--within-days", "41", "--format", "github")
        #expect(lines.text?.hasPrefix("::warning file=") == true, "\(lines.text ?? "")")
        #expect(lines.note == "1 warning in 1 file or folder")
        let none = try answer("--format", "github")
        #expect(none.text == nil && none.passes)
    }

    @Test("the stamp is written only after a check that passes, always with the same text")
    func stamp() throws {
        let stamp = folder.path + "/Passed.swift"
        #expect(try !answer("--stamp", stamp, "--within-days", "41").passes)
        #expect(!FileManager.default.fileExists(atPath: stamp))
        #expect(try answer("--stamp", stamp).passes)
        #expect(try String(contentsOfFile: stamp, encoding: .utf8) == LintOptions.stampText)
        #expect(throws: LintFailure.self) { try answer("--stamp", folder.path + "/missing/Passed.swift") }
    }

    @Test("files replace the search")
    func files() throws {
        let options = try LintOptions.parse([folder.path + "/shop.holdfast.json", "--within-days", "41"])
        #expect(try !options.answer(environment: [:], now: LintedPackage.now).passes)
        let missing = try LintOptions.parse([folder.path + "/missing.json"])
        #expect(throws: LintFailure.self) { try missing.answer(environment: [:], now: LintedPackage.now) }
    }

    @Test(arguments: [
        ["--within-days", "-1"], ["--within-days", "3651"], ["--within-days", "soon"], ["--at", "tomorrow"],
        ["a.json", "--package", "."], ["a.json", "--folder", "."], ["--format", "nonsense"], ["--no-such-option"],
    ])
    func invalidArguments(_ arguments: [String]) {
        #expect(throws: (any Error).self) { try LintOptions.parse(arguments) }
    }
}
