import ArgumentParser

/// `holdfast manual`: prints the manual page.
struct ManualCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual",
        abstract: "Print the manual page of all commands, for man.",
        discussion: "The page has the format of man(7). The same version of the tool always prints the same page.",
        examples: ["holdfast manual > holdfast.1", "man ./holdfast.1"]
    )

    func run(on console: Console) async throws {
        try console.output(Array(ManualPage(try CommandDescription.tool()).text.utf8))
    }
}
