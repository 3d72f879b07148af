import ArgumentParser
import HoldfastTrust

/// `holdfast bundle sign`: puts a policy into a signed envelope.
struct BundleSignCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "sign",
        abstract: "Signs a policy in Holdfast's format.",
        discussion: """
            The policy is checked first. A time is written as 2031-03-15T12:00:00Z, or as a date for its first second in \
            UTC. A version can only grow: an app takes no bundle with the version that it has or a lower one.
            """
    )

    @Argument(help: ArgumentHelp("The policy, or - for standard input.", valueName: "policy"))
    var policy: String

    @Option(help: ArgumentHelp("The file of the private key.", valueName: "file"))
    var key: String

    @Option(help: ArgumentHelp("The name by which apps know the key.", valueName: "id"))
    var keyID: String

    @Option(help: ArgumentHelp("The application that the bundle is for.", valueName: "id"))
    var application: String

    @Option(help: ArgumentHelp("The version, 1 or more.", valueName: "number"))
    var version: Int64

    @Option(
        help: ArgumentHelp("From when on apps may take it. Default now.", valueName: "time"),
        transform: BundleArgument.time)
    var notBefore: Timestamp?

    @Option(
        help: ArgumentHelp("Until when apps may take it; afterwards it counts as stale.", valueName: "time"),
        transform: BundleArgument.time)
    var notAfter: Timestamp

    @Option(help: ArgumentHelp("Where the bundle goes.", valueName: "file"))
    var output: String

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        guard version >= 1 else { throw ValidationError("a version is 1 or more") }
    }

    func run(on console: Console) async throws {
        let limit = SignedBundle.maximumSize
        let document =
            policy == "-"
            ? try console.readAll(limit: limit) : try InputFile(path: policy).readAll(limit: limit)
        let pem = try InputFile(path: key).readAll(limit: BundleCommand.keySizeLimit)
        let signer: BundleSigningKey
        do throws(BundleError) {
            signer = try BundleSigningKey(id: keyID, pem: pem)
        } catch {
            throw ToolError("'\(key)': \(error.reason)")
        }
        let start = notBefore ?? TrustClock.system.now()
        let bundle = try SignedBundle.sign(
            policy: document, application: application, version: version, notBefore: start, notAfter: notAfter,
            with: signer)
        try NewFile.create([NewFile(path: output, bytes: bundle.bytes, isPrivate: false)])
        let fields: [(String, BundleReport.Value)] = [
            ("bundle", .text(output)), ("application", .text(application)), ("version", .number(version)),
            ("keyID", .text(keyID)), ("algorithm", .text(signer.algorithm.rawValue)),
            ("notBefore", .text(start.description)), ("notAfter", .text(notAfter.description)),
        ]
        try console.print(BundleReport(fields).text(asJSON: json))
    }
}
