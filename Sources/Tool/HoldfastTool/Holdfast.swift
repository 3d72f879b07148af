import ArgumentParser

/// The command line tool `holdfast`.
@main
struct Holdfast: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "holdfast",
        abstract: "Pins, trust decisions and a pinned chat, on the command line.",
        discussion: """
            Results go to standard output, everything else to standard error. Exit codes: 0 every result is as \
            expected, 1 a result is not as expected, 2 an input is unusable, 3 there is no verdict on a server, 64 \
            the command line is invalid.
            """,
        subcommands: [
            DemoCommand.self, PinCommand.self, EvaluateCommand.self, LintCommand.self, ConvertCommand.self,
            ExplainCommand.self, BundleCommand.self, ProbeCommand.self, WebSocketCommand.self, ChatCommand.self,
            ServeCommand.self, SimulateCommand.self,
        ]
    )

    static func main() async {
        Interruption.install()
        WorkFolder.removeLeftovers()
        let status = await ToolRun(console: .standard).run(Array(CommandLine.arguments.dropFirst()))
        status.endProcess()
    }
}
