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

    @Test(.enabled(if: ShellCommand.path(of: "bash") != nil, "bash is not installed"))
    func bashAcceptsTheScript() async throws { try await accepts(.bash) }

    @Test(.enabled(if: ShellCommand.path(of: "zsh") != nil, "zsh is not installed"))
    func zshAcceptsTheScript() async throws { try await accepts(.zsh) }

    @Test(.enabled(if: ShellCommand.path(of: "fish") != nil, "fish is not installed"))
    func fishAcceptsTheScript() async throws { try await accepts(.fish) }

    @Test func eachShellHasATest() {
        #expect(Set(CompletionsCommand.Shell.allCases) == [.bash, .zsh, .fish])
    }

    /// Checks that the shell reads the script without an error. A script with an error shows that the shell reads it.
    private func accepts(_ shell: CompletionsCommand.Shell) async throws {
        let program = try #require(ShellCommand.path(of: shell.rawValue))
        let folder = try TemporaryFolder()
        let script = try folder.file("script", await ToolOutcome.of("completions", shell.rawValue).output)
        let result = try ShellCommand.run("\(program) -n \(ShellWord(script))")
        #expect(result.code == 0 && result.output.isEmpty, "\(result.output)")
        let broken = try folder.file("broken", "if (\n")
        #expect(try ShellCommand.run("\(program) -n \(ShellWord(broken))").code != 0)
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
