import ArgumentParser

struct PinCommand: ToolCommand {
    static let configuration = CommandConfiguration(commandName: "pin", abstract: "x")
    func run(on console: Console) async throws {}
}
