import ArgumentParser

/// Measures the chat SDK against its goals, over the loopback interface and on this machine's disk.
@main
struct ChatBench: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "ChatBench",
        abstract: "Measures the chat SDK: init, send, time to ready, a long history, bytes, memory.",
        subcommands: [
            RunCommand.self, ScaleCommand.self, InitCommand.self, SealedInitCommand.self, MemoryCommand.self,
            ServeCommand.self,
        ],
        defaultSubcommand: RunCommand.self)
}
