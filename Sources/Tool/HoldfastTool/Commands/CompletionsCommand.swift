import ArgumentParser

/// `holdfast completions`: prints a script that completes the tool's commands and options in a shell.
struct CompletionsCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "completions",
        abstract: "Print a completion script for bash, zsh or fish.",
        discussion: """
            Write the script to the place where the shell looks for completions, then start a new shell. For zsh, the \
            folder must be in fpath before compinit runs. docs/tool.md describes the places.
            """,
        examples: [
            "holdfast completions bash > /etc/bash_completion.d/holdfast",
            "holdfast completions zsh > ~/.zsh/completions/_holdfast",
            "holdfast completions fish > ~/.config/fish/completions/holdfast.fish",
        ]
    )

    /// A shell for which the argument parser can write a script.
    enum Shell: String, CaseIterable, ExpressibleByArgument {
        case bash, zsh, fish

        /// The script.
        var script: String {
            switch self {
            case .bash: Holdfast.completionScript(for: .bash)
            case .zsh: Holdfast.completionScript(for: .zsh)
            case .fish: Holdfast.completionScript(for: .fish)
            }
        }
    }

    @Argument(help: "The shell.")
    var shell: Shell

    func run(on console: Console) async throws {
        try console.print(shell.script)
    }
}
