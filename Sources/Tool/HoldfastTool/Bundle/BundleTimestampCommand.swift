import ArgumentParser
import HoldfastTrust

/// `holdfast bundle timestamp`: signs a statement about the newest bundle.
struct BundleTimestampCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "timestamp",
        abstract: "Confirm the newest bundle: sign a timestamp.",
        discussion: """
            Publish the timestamp next to the bundle, with .timestamp at the end of its URL, and replace it regularly. \
            Apps with a timestamp key report a server that holds newer bundles back. A timestamp that apps would \
            refuse at this time is not signed.
            """,
        examples: [
            "holdfast bundle timestamp shop.bundle --bundle-key a=pub.pem \\",
            "    --application com.example --key time.pem --key-id t \\",
            "    --not-after 2031-03-16 --output shop.bundle.timestamp",
        ]
    )

    @Argument(
        help: ArgumentHelp("The newest bundle, or - for standard input.", valueName: "bundle"), completion: .file())
    var bundle: String

    @Option(help: ArgumentHelp("A trusted public key of the bundle, as ID=FILE. Repeatable.", valueName: "id=file"))
    var bundleKey: [String]

    @Option(help: ArgumentHelp("The application that the bundle must be for.", valueName: "id"))
    var application: String

    @Option(help: ArgumentHelp("The newest halt, if there is one.", valueName: "file"), completion: .file())
    var halt: String?

    @Option(help: ArgumentHelp("The private key file for timestamps.", valueName: "file"), completion: .file())
    var key: String

    @Option(help: ArgumentHelp("The key's id in the app.", valueName: "id"), transform: BundleKeyID.parse)
    var keyID: String

    @Option(
        help: ArgumentHelp("The time of the signature (default: the time of --at).", valueName: "time"),
        transform: BundleArgument.time)
    var issued: Timestamp?

    @Option(
        help: ArgumentHelp("The end of the timestamp's validity, at most 7 days later.", valueName: "time"),
        transform: BundleArgument.time)
    var notAfter: Timestamp

    @Option(
        help: ArgumentHelp("The time to check at (default: now).", valueName: "time"),
        transform: BundleArgument.time)
    var at: Timestamp?

    @Option(
        help: ArgumentHelp("The timestamp file to write, or - for standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        try check(!bundleKey.isEmpty, "at least one --bundle-key is required")
        try BundleKeyFile.check(bundleKey, option: "--bundle-key")
        try check(output != "-" || !json, "--json and --output - both write to standard output: use one of them")
    }

    func run(on console: Console) async throws {
        let signer = try BundleKeyFile.signer(path: key, id: keyID, role: .timestamp)
        let keys = try bundleKey.map {
            try BundleKeyFile.verifier($0, option: "--bundle-key", role: .bundle) { id, bytes throws(BundleError) in
                try BundleKey(id: id, publicKey: bytes)
            }
        }
        let bytes = try console.readAll(bundle, limit: SignedBundle.maximumSize + 1)
        let verified = try ToolError.explaining(
            "'\(bundle)': ", SignedBundle(bytes).verify(keys: keys, application: application))
        let haltSerial = try haltSerial()
        let timestamp = try ToolError.explaining(
            "", sign(for: verified, haltSerial: haltSerial, with: signer, at: at ?? TrustClock.system.now()))
        let report = BundleReport([
            ("timestamp", .string(output == "-" ? "standard output" : output)), ("application", .string(application)),
            ("version", .number("\(verified.version)")), ("haltSerial", .number("\(timestamp.haltSerial)")),
            ("keyID", .string(keyID)), ("issued", .text(timestamp.issued)), ("notAfter", .text(notAfter)),
        ])
        try report.write(timestamp.bytes, to: output, asJSON: json, on: console)
    }

    /// Signs the timestamp. Throws the error of an app that would refuse it.
    private func sign(
        for bundle: VerifiedBundle, haltSerial: Int64, with signer: BundleSigningKey, at now: Timestamp
    ) throws(BundleError) -> BundleTimestamp {
        let timestamp = try BundleTimestamp.sign(
            for: bundle, haltSerial: haltSerial, issued: issued ?? now, notAfter: notAfter, with: signer)
        let key = try BundleTimestampKey(id: keyID, publicKey: Array(signer.publicKeyPEM.utf8))
        var app = BundleState(
            embedded: .disabled(reason: "a timestamp needs no policy"), version: 0, keys: [],
            application: application, rollout: RolloutSettings(timestampKeys: [key]))
        try app.offer(timestamp: timestamp.bytes, at: now)
        return timestamp
    }

    private func haltSerial() throws(ToolError) -> Int64 {
        guard let halt else { return 0 }
        let bytes = try InputFile(path: halt).readAll(limit: BundleHalt.maximumSize)
        return try ToolError.explaining("--halt '\(halt)': ", BundleHalt(unverified: bytes)).serial
    }
}
