import ArgumentParser

/// `holdfast pin`: prints pins, or advises which keys to pin.
struct PinCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "pin",
        abstract: "Print the pins of files and servers, or advise which keys to pin.",
        usage: "holdfast pin [print] <sources> ... [<options>]\nholdfast pin advise <sources> ... [<options>]",
        discussion: """
            A source is a file, - for standard input, or a server. 'print' is the default and can be omitted: 'holdfast \
            pin print --help' shows its options. A file with the name of a subcommand needs a path, as in ./advise.
            """,
        examples: [
            "holdfast pin server.pem",
            "holdfast pin example.com backup.pem --policy > policy.json",
            "holdfast pin advise example.com backup.pem",
        ],
        subcommands: [PinPrintCommand.self, PinAdviseCommand.self], defaultSubcommand: PinPrintCommand.self
    )
}
