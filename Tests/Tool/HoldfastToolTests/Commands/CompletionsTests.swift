import Foundation
import Testing

@testable import HoldfastTool

@Suite("holdfast completions") struct CompletionsTests {
    @Test(arguments: CompletionsCommand.Shell.allCases)
    func scriptContainsEveryCommand(_ shell: CompletionsCommand.Shell) async throws {
        let outcome = await ToolOutcome.of("completions", shell.rawValue)
        #expect(outcome.status == .success)
        #expect(outcome.notes.isEmpty)
        for command in CommandHelp.all {
            #expect(outcome.output.contains(command.path.last ?? "?"), "\(command.path)")
        }
        #expect(outcome.output.contains("trusted-certificates"))
    }

    @Test(arguments: CompletionsCommand.Shell.allCases)
    func shellAcceptsTheScript(_ shell: CompletionsCommand.Shell) async throws {
        // Without the shell, the script is only compared with the commands, by the test above.
        guard let program = ShellCommand.path(of: shell.rawValue) else { return }
        let folder = try TemporaryFolder()
        let script = try folder.file("script", await ToolOutcome.of("completions", shell.rawValue).output)
        let result = try ShellCommand.run("\(program) -n \(ShellWord(script))")
        #expect(result.code == 0 && result.output.isEmpty, "\(result.output)")
    }

    @Test func unknownShellIsAUsageError() async {
        for arguments in [["completions"], ["completions", "tcsh"], ["completions", "bash", "zsh"]] {
            let outcome = await ToolOutcome.of(arguments)
            #expect(outcome.status == .usage)
            #expect(outcome.output.isEmpty)
        }
    }

    /// An option that takes a file or a folder completes names of files. Other options do not.
    @Test func filesAreCompleted() async throws {
        let dump = await ToolOutcome.of("--experimental-dump-help").output
        var files = 0
        func check(_ command: [String: Any]) {
            for argument in command["arguments"] as? [[String: Any]] ?? [] {
                guard let value = argument["valueName"] as? String, ["file", "folder"].contains(value) else { continue }
                files += 1
                let kind = argument["completionKind"] as? [String: Any]
                #expect(
                    kind?[value == "file" ? "file" : "directory"] != nil, "\(command["commandName"] ?? "") \(argument)")
            }
            for subcommand in command["subcommands"] as? [[String: Any]] ?? [] { check(subcommand) }
        }
        let tool = try JSONSerialization.jsonObject(with: Data(dump.utf8)) as? [String: Any]
        check(try #require(tool?["command"] as? [String: Any]))
        #expect(files > 25)
    }
}
