import ArgumentParser
import HoldfastBase
import HoldfastTrust

/// `holdfast bundle halt`: signs an order to stop a roll-out.
struct BundleHaltCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "halt",
        abstract: "Stop the roll-out of a version: sign a halt.",
        discussion: """
            Publish the halt next to the bundle, with .halt at the end of its URL. Apps that have not put the version \
            in force wait until the halt ends, at most 14 days. Publish a corrected bundle in this time. A halt has no \
            effect on bundles without a roll-out. --version 0 ends an earlier halt. A halt that apps would refuse at \
            this time is not signed.
            """,
        examples: [
            "holdfast bundle halt --key halt.pem --key-id h --application com.example \\",
            "    --version 12 --not-after 2031-03-22 --output shop.bundle.halt",
        ]
    )

    @Option(help: ArgumentHelp("The private key file for halts.", valueName: "file"), completion: .file())
    var key: String

    @Option(help: ArgumentHelp("The key's id in the app.", valueName: "id"), transform: BundleKeyID.parse)
    var keyID: String

    @Option(help: ArgumentHelp("The application whose roll-out is stopped.", valueName: "id"))
    var application: String

    @Option(help: ArgumentHelp("The highest version to stop, or 0 to end an earlier halt.", valueName: "number"))
    var version: Int64

    @Option(
        help: ArgumentHelp("The time of the signature (default: the time of --at).", valueName: "time"),
        transform: BundleArgument.time)
    var issued: Timestamp?

    @Option(
        help: ArgumentHelp("The end of the halt, at most 14 days later.", valueName: "time"),
        transform: BundleArgument.time)
    var notAfter: Timestamp

    @Option(
        help: ArgumentHelp("The time to check at (default: now).", valueName: "time"),
        transform: BundleArgument.time)
    var at: Timestamp?

    @Option(help: ArgumentHelp("The serial number (default: the Unix time of --issued).", valueName: "number"))
    var serial: Int64?

    @Option(
        help: ArgumentHelp("The current halt; the new serial number must be higher.", valueName: "file"),
        completion: .file())
    var previous: String?

    @Option(
        help: ArgumentHelp("The halt file to write, or - for standard output.", valueName: "file"), completion: .file())
    var output: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        try check(
            (0...SignedBundle.maximumVersion).contains(version),
            "the version must be between 0 and \(SignedBundle.maximumVersion), but \(version) was given")
        try check(output != "-" || !json, "--json and --output - both write to standard output: use one of them")
    }

    func run(on console: Console) async throws {
        let signer = try BundleKeyFile.signer(path: key, id: keyID, role: .halt)
        let halt = try ToolError.explaining("", sign(with: signer, at: at ?? TrustClock.system.now()))
        if let previous { try check(halt, against: previous) }
        let report = BundleReport([
            ("halt", .string(output == "-" ? "standard output" : output)), ("application", .string(application)),
            ("version", .number("\(version)")), ("serial", .number("\(halt.serial)")), ("keyID", .string(keyID)),
            ("issued", .text(halt.issued)), ("notAfter", .text(notAfter)),
        ])
        try report.write(halt.bytes, to: output, asJSON: json, on: console)
    }

    /// Signs the halt. Throws the error of an app that would refuse it.
    private func sign(with signer: BundleSigningKey, at now: Timestamp) throws(BundleError) -> BundleHalt {
        let halt = try BundleHalt.sign(
            application: application, version: version, issued: issued ?? now, notAfter: notAfter, serial: serial,
            with: signer)
        let key = try BundleHaltKey(id: keyID, publicKey: Array(signer.publicKeyPEM.utf8))
        var app = BundleState(
            embedded: .disabled(reason: "a halt needs no policy"), version: 0, keys: [], application: application,
            rollout: RolloutSettings(haltKeys: [key]))
        try app.offer(halt: halt.bytes, at: now)
        return halt
    }

    private func check(_ halt: BundleHalt, against path: String) throws(ToolError) {
        let bytes = try InputFile(path: path).readAll(limit: BundleHalt.maximumSize)
        let known = try ToolError.explaining("--previous '\(path)': ", BundleHalt(unverified: bytes))
        guard known.application == application else {
            throw ToolError(
                "'\(path)' is for application '\(Printable.text(known.application))', not for '\(application)'")
        }
        guard halt.serial > known.serial else {
            throw ToolError(
                "the serial number \(halt.serial) is not above \(known.serial) of '\(path)', "
                    + "so apps would refuse the halt")
        }
    }
}
