import ArgumentParser
import HoldfastTrust

/// `holdfast bundle verify`: says whether an app would take a bundle.
struct BundleVerifyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Says whether an app would take a bundle, and what is in it.",
        discussion: """
            Checks what the app checks: the signature, the application, the time, the version and, with --embedded, what \
            the bundle takes back of the policy in force. Exit code 0: the app takes it; 1: it refuses, and the report says \
            why.
            """
    )

    @Argument(help: ArgumentHelp("The bundle, or - for standard input.", valueName: "bundle"))
    var bundle: String

    @Option(help: ArgumentHelp("A key that may sign, as ID=FILE. May be given several times.", valueName: "id=file"))
    var key: [String]

    @Option(help: ArgumentHelp("The application that bundles must be for.", valueName: "id"))
    var application: String

    @Option(help: ArgumentHelp("The policy that the app has in force.", valueName: "file"))
    var embedded: String?

    @Option(help: ArgumentHelp("The version that the app has in force.", valueName: "number"))
    var embeddedVersion: Int64 = 0

    @Option(help: "What a bundle may take back: unpin, reportOnly, anchors. May be given several times.")
    var allow: [Permission] = []

    @Option(help: ArgumentHelp("The time to judge at. Default now.", valueName: "time"), transform: BundleArgument.time)
    var at: Timestamp?

    @Flag(help: "Print one JSON object.")
    var json = false

    /// The names of ``BundlePermissions``.
    enum Permission: String, ExpressibleByArgument, CaseIterable {
        case unpin, reportOnly, anchors

        var permission: BundlePermissions {
            switch self {
            case .unpin: .unpin
            case .reportOnly: .reportOnly
            case .anchors: .anchors
            }
        }
    }

    func validate() throws {
        guard !key.isEmpty else { throw ValidationError("at least one --key is needed") }
        var ids: Set<String> = []
        for argument in key {
            let (id, _) = try BundleVerifyCommand.parts(of: argument)
            guard ids.insert(id).inserted else {
                throw ValidationError("the key id '\(id)' is given twice: each key that may sign has an id of its own")
            }
        }
    }

    func run(on console: Console) async throws {
        let keys = try key.map(readKey)
        let bytes = try console.readAll(bundle, limit: SignedBundle.maximumSize + 1)
        var state = BundleState(
            embedded: try embeddedPolicy(on: console), version: embeddedVersion, keys: keys, application: application,
            permissions: allow.reduce(into: []) { $0.insert($1.permission) })
        do throws(BundleError) {
            try state.offer(bytes, at: at ?? TrustClock.system.now())
        } catch {
            let fields: [(String, BundleReport.Value)] = [
                ("accepted", .flag(false)), ("code", .text(error.code.rawValue)), ("reason", .text(error.reason)),
            ]
            try console.print(
                BundleReport(fields, problems: error.problems.map(\.description)).text(asJSON: json))
            throw ToolError("", status: .failure)
        }
        guard case .bundle(let taken) = state.origin else { throw ToolError("the bundle is in force already") }
        try console.print(BundleReport(taken).text(asJSON: json))
    }

    private func readKey(_ argument: String) throws -> BundleKey {
        let (id, path) = try BundleVerifyCommand.parts(of: argument)
        let file = try InputFile(path: path).readAll(limit: BundleCommand.keySizeLimit)
        return try ToolError.explaining("'\(path)': ", BundleKey(id: id, publicKey: file))
    }

    /// The two parts of ID=FILE.
    private static func parts(of argument: String) throws -> (id: String, path: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw ValidationError("--key '\(argument)': a key is ID=FILE, as in 2031-a=signing.pub")
        }
        return (try BundleKeyID.parse(parts[0]), parts[1])
    }

    /// Without a policy in force there is nothing that a bundle could take back.
    private func embeddedPolicy(on console: Console) throws -> PinningPolicy {
        guard let embedded else { return .disabled(reason: "no policy was given") }
        return try PinningPolicy(holdfastJSON: try BundlePolicyFile(path: embedded, on: console).bytes)
    }
}
