import HoldfastBase
import ArgumentParser
import HoldfastTrust

/// `holdfast bundle sign`: wraps a policy in a signed envelope.
struct BundleSignCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Sign a policy in Holdfast's format.",
        discussion: """
            The policy is checked first. Write a time as 2031-03-15T12:00:00Z, or as a date, which means its first \
            second in UTC. Versions only increase: an app refuses a bundle whose version is not above its current one. \
            Count up by one, or use the Unix time in seconds. --previous checks the version against the last bundle's. \
            --stage limits the bundle to a share of the installations: 1%@2031-03-15 is 1 % from this time on. Add \
            ,versions=2.1-2.9 or ,platforms=ios+android for other conditions. A bundle with stages must not remove \
            protection, so its policy is compared with --previous and --embedded.
            """,
        examples: [
            "holdfast bundle sign policy.json --key key.pem --key-id a \\",
            "    --application com.example --version 12 --not-after 2031-06-30 \\",
            "    --output shop.bundle",
            "holdfast bundle sign policy.json --key key.pem --key-id a \\",
            "    --application com.example --version 12 --not-after 2031-06-30 \\",
            "    --stage 1%@2031-03-15 --stage 100%@2031-03-17 \\",
            "    --previous old.bundle --output shop.bundle",
        ]
    )

    @Argument(help: ArgumentHelp("The policy file, or - for standard input.", valueName: "policy"), completion: .file())
    var policy: String

    @Option(help: ArgumentHelp("The private key file.", valueName: "file"), completion: .file())
    var key: String

    @Option(help: ArgumentHelp("The key's id in the app.", valueName: "id"), transform: BundleKeyID.parse)
    var keyID: String

    @Option(help: ArgumentHelp("The application that the bundle is for.", valueName: "id"))
    var application: String

    @Option(help: ArgumentHelp("The bundle's version, from 1 to 9007199254740991.", valueName: "number"))
    var version: Int64

    @Option(
        help: ArgumentHelp("The current bundle; the new version must be higher.", valueName: "file"),
        completion: .file())
    var previous: String?

    @Option(
        help: ArgumentHelp("A stage of the roll-out, as SHARE%@TIME. Repeatable.", valueName: "stage"),
        transform: RolloutArgument.stage)
    var stage: [BundleRollout.Stage] = []

    @Option(
        help: ArgumentHelp("The policy that apps embed; a roll-out must be at least as strict.", valueName: "file"),
        completion: .file())
    var embedded: String?

    @Flag(help: "Allow a version more than 1,000,000 above that of --previous.")
    var allowVersionJump = false

    @Flag(help: "Sign a policy that pins no host. Apps accept it only with the permission unpin.")
    var allowEmptyPolicy = false

    @Option(
        help: ArgumentHelp("The start of the bundle's validity (default: now).", valueName: "time"),
        transform: BundleArgument.time)
    var notBefore: Timestamp?

    @Option(
        help: ArgumentHelp("The end of the bundle's validity. A bundle is stale after this time.", valueName: "time"),
        transform: BundleArgument.time)
    var notAfter: Timestamp

    @Option(
        help: ArgumentHelp("The bundle file to write, or - for standard output.", valueName: "file"),
        completion: .file())
    var output: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        try check(
            (1...SignedBundle.maximumVersion).contains(version),
            "the version must be between 1 and \(SignedBundle.maximumVersion), but \(version) was given")
        try check(!allowVersionJump || previous != nil, "--allow-version-jump needs --previous")
        try check(
            stage.isEmpty || previous != nil || embedded != nil,
            "--stage needs --previous or --embedded, to check that the roll-out removes no protection")
        try check(output != "-" || !json, "--json and --output - both write to standard output: use one of them")
    }

    func run(on console: Console) async throws {
        let document = try BundlePolicyFile(path: policy, on: console)
        let signer = try BundleKeyFile.signer(path: key, id: keyID, role: .bundle)
        var current: [PinningPolicy] = []
        if let previous {
            let bundle = try PreviousBundle(path: previous)
            try bundle.check(version, for: application, allowsJump: allowVersionJump)
            if !stage.isEmpty { current.append(try bundle.policy()) }
        }
        if let embedded {
            current.append(try PinningPolicy(holdfastJSON: try BundlePolicyFile(path: embedded, on: console).bytes))
        }
        let start = notBefore ?? TrustClock.system.now()
        let bundle = try SignedBundle.sign(
            policy: document.bytes, application: application, version: version, notBefore: start, notAfter: notAfter,
            with: signer, allowsEmptyPolicy: allowEmptyPolicy,
            rollout: stage.isEmpty ? nil : BundleRollout(stages: stage), replacing: current)
        let report = BundleReport([
            ("bundle", .string(output == "-" ? "standard output" : output)), ("application", .string(application)),
            ("version", .number("\(version)")), ("keyID", .string(keyID)),
            ("algorithm", .string(signer.algorithm.rawValue)), ("notBefore", .text(start)),
            ("notAfter", .text(notAfter)), ("stages", stage.isEmpty ? nil : .number("\(stage.count)")),
        ])
        try report.write(bundle.bytes, to: output, asJSON: json, on: console)
    }
}

/// The bundle that apps have now. It determines the lowest next version.
struct PreviousBundle {
    /// The largest allowed increase of a version. A version that is too high cannot be taken back: apps refuse all
    /// lower ones.
    ///
    /// - Error: exit code 2
    static let largestStep: Int64 = 1_000_000

    private let path: String
    private let contents: SignedBundle.Claims

    /// Reads a bundle. Does not verify its signature, because another key of the operator may have signed it.
    init(path: String) throws {
        self.path = path
        let bytes = try InputFile(path: path).readAll(limit: SignedBundle.maximumSize)
        contents = try ToolError.explaining("--previous '\(path)': ", SignedBundle(bytes).unverifiedClaims())
    }

    /// Returns the bundle's policy.
    func policy() throws(ToolError) -> PinningPolicy {
        try ToolError.explaining(
            "--previous '\(path)': ", PinningPolicy(holdfastJSON: Array(contents.policy.utf8)))
    }

    /// Throws an error unless `version` may follow for this application.
    func check(_ version: Int64, for application: String, allowsJump: Bool) throws(ToolError) {
        guard contents.application == application else {
            throw ToolError(
                "'\(path)' is for application '\(Printable.text(contents.application))', not for '\(application)'")
        }
        guard version > contents.version else {
            throw ToolError(
                "version \(version) is not above version \(contents.version) of '\(path)', so apps would refuse it. "
                    + "The next version is \(contents.version + 1)")
        }
        guard allowsJump || version - contents.version <= PreviousBundle.largestStep else {
            throw ToolError(
                "version \(version) is more than \(PreviousBundle.largestStep) above version \(contents.version) of "
                    + "'\(path)', and apps that accept it refuse every lower version permanently. "
                    + "If this is intended, add --allow-version-jump")
        }
    }
}
