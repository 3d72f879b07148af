import ArgumentParser

/// The command line tool `holdfast`.
@main
struct Holdfast: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "holdfast",
        abstract: "Pins, trust decisions and a pinned chat, from the command line.",
        discussion: """
            Results go to standard output, everything else to standard error. Exit codes: 0 all is as it must be, 1 it is \
            not, 2 the input cannot be used, 3 a server has no verdict, 64 the command line is wrong.
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
