import ArgumentParser

/// The command line tool `holdfast`.
@main
struct Holdfast: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "holdfast",
        abstract: "Pins, trust decisions and a pinned chat, on the command line.",
        usage: "holdfast <subcommand>\nholdfast \(versionOption)",
        discussion: """
            Results go to standard output, everything else to standard error. Exit codes: 0 every result is as \
            expected, 1 a result is not as expected, 2 an input is unusable, 3 there is no verdict on a server, 64 \
            the command line is invalid.
            """,
        examples: [
            "holdfast pin example.com",
            "holdfast lint policy.json",
            "holdfast probe example.com --policy policy.json",
            "holdfast help bundle sign",
        ],
        subcommands: [
            DemoCommand.self, PinCommand.self, EvaluateCommand.self, LintCommand.self, ConvertCommand.self,
            ExplainCommand.self, BundleCommand.self, ProbeCommand.self, GetCommand.self, WebSocketCommand.self,
            ChatCommand.self, ServeCommand.self, SimulateCommand.self, CompletionsCommand.self, ManualCommand.self,
        ]
    )

    /// Prints the version. The argument parser's own option applies to every command, also to `bundle sign`, which has
    /// another option of this name: it would print the version and succeed if a required option is missing.
    static let versionOption = "--version"

    static func main() async {
        Interruption.install()
        WorkFolder.removeLeftovers()
        let status = await ToolRun(console: .standard).run(Array(CommandLine.arguments.dropFirst()))
        status.endProcess()
    }
}
