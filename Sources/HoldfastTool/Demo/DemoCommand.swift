import ArgumentParser

struct DemoCommand: ToolCommand {
    static let configuration = CommandConfiguration(commandName: "demo", abstract: "x")
    func run(on console: Console) async throws {}
}
