import HoldfastBase
import ArgumentParser
import HoldfastTrust

/// `holdfast bundle sign`: puts a policy into a signed envelope.
struct BundleSignCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Signs a policy in Holdfast's format.",
        discussion: """
            The policy is checked first. A time is written as 2031-03-15T12:00:00Z, or as a date for its first second in \
            UTC. A version can only grow: an app takes no bundle with the version that it has or a lower one. Count up by one, \
            or use the Unix time in seconds. With --previous the version is compared with that of the last bundle.
            """
    )

    @Argument(help: ArgumentHelp("The policy, or - for standard input.", valueName: "policy"))
    var policy: String

    @Option(help: ArgumentHelp("The file of the private key.", valueName: "file"))
    var key: String

    @Option(help: ArgumentHelp("The name by which apps know the key.", valueName: "id"), transform: BundleKeyID.parse)
    var keyID: String

    @Option(help: ArgumentHelp("The application that the bundle is for.", valueName: "id"))
    var application: String

    @Option(help: ArgumentHelp("The version, from 1 to 9007199254740991.", valueName: "number"))
    var version: Int64

    @Option(
        help: ArgumentHelp("The bundle that apps have now; the version must be above its version.", valueName: "file"))
    var previous: String?

    @Flag(help: "Allow a version that is more than 1,000,000 above that of --previous.")
    var allowVersionJump = false

    @Flag(help: "Sign a policy that asks for nothing. Apps take it only with the permission unpin.")
    var allowEmptyPolicy = false

    @Option(
        help: ArgumentHelp("From when on apps may take it. Default now.", valueName: "time"),
        transform: BundleArgument.time)
    var notBefore: Timestamp?

    @Option(
        help: ArgumentHelp("Until when apps may take it; afterwards it counts as stale.", valueName: "time"),
        transform: BundleArgument.time)
    var notAfter: Timestamp

    @Option(help: ArgumentHelp("Where the bundle goes, or - for standard output.", valueName: "file"))
    var output: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        try check(
            (1...SignedBundle.maximumVersion).contains(version),
            "the version \(version) is not between 1 and \(SignedBundle.maximumVersion), which apps take")
        try check(!allowVersionJump || previous != nil, "--allow-version-jump needs --previous")
        try check(
            output != "-" || !json, "--json cannot be used with --output -, which prints the bundle to standard output")
    }

    func run(on console: Console) async throws {
        let document = try BundlePolicyFile(path: policy, on: console)
        let pem = try InputFile(path: key).readAll(limit: BundleCommand.keySizeLimit)
        let signer = try ToolError.explaining("'\(key)': ", BundleSigningKey(id: keyID, pem: pem))
        if let previous {
            try PreviousBundle(path: previous).check(version, for: application, allowsJump: allowVersionJump)
        }
        let start = notBefore ?? TrustClock.system.now()
        let bundle = try SignedBundle.sign(
            policy: document.bytes, application: application, version: version, notBefore: start, notAfter: notAfter,
            with: signer, allowsEmptyPolicy: allowEmptyPolicy)
        let fields: [(String, BundleReport.Value)] = [
            ("bundle", .text(output == "-" ? "standard output" : output)), ("application", .text(application)),
            ("version", .number(version)), ("keyID", .text(keyID)), ("algorithm", .text(signer.algorithm.rawValue)),
            ("notBefore", .text(start.description)), ("notAfter", .text(notAfter.description)),
        ]
        let report = BundleReport(fields).text(asJSON: json)
        if output == "-" {
            try console.output(bundle.bytes)
            console.note(report)
        } else {
            try NewFile.create([NewFile(path: output, bytes: bundle.bytes, isPrivate: false)])
            try console.print(report)
        }
    }
}

/// The bundle that apps have now, which says where the next version has to begin.
struct PreviousBundle {
    /// The most that a version may grow at once. A version that is too high cannot be taken back: apps refuse all below it.
    static let largestStep: Int64 = 1_000_000

    private let path: String
    private let contents: SignedBundle.Claims

    /// Reads a bundle. Its signature is not verified: another key of the operator may have made it.
    init(path: String) throws {
        self.path = path
        let bytes = try InputFile(path: path).readAll(limit: SignedBundle.maximumSize)
        contents = try ToolError.explaining("--previous '\(path)': ", SignedBundle(bytes).unverifiedClaims())
    }

    /// Throws unless `version` may follow for this application.
    func check(_ version: Int64, for application: String, allowsJump: Bool) throws(ToolError) {
        guard contents.application == application else {
            throw ToolError(
                "'\(path)' is for the application '\(Printable.text(contents.application))', not for '\(application)'")
        }
        guard version > contents.version else {
            throw ToolError(
                "version \(version) is not above version \(contents.version) of '\(path)': apps would refuse it. "
                    + "The next one is \(contents.version + 1)")
        }
        guard allowsJump || version - contents.version <= PreviousBundle.largestStep else {
            throw ToolError(
                "version \(version) is more than \(PreviousBundle.largestStep) above version \(contents.version) of "
                    + "'\(path)', and apps that take it refuse every lower version for good. "
                    + "If that is intended, add --allow-version-jump")
        }
    }
}
