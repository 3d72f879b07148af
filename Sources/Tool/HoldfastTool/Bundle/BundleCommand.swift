import ArgumentParser

/// `holdfast bundle`: makes keys, signs policies and verifies bundles. The format is docs/bundles.md.
struct BundleCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "bundle",
        abstract: "Signed pin bundles: policies that reach an app over the network.",
        discussion: """
            Exit codes: 0 done, 1 the bundle is refused (verify), 2 an input cannot be used or a file is already there, \
            64 the command line is wrong.
            """,
        subcommands: [BundleKeygenCommand.self, BundleSignCommand.self, BundleVerifyCommand.self]
    )

    /// The most bytes of a key file that are read.
    static let keySizeLimit = 64 * 1024
}
