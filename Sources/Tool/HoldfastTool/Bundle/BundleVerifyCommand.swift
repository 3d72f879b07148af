import ArgumentParser
import HoldfastTrust

/// `holdfast bundle verify`: checks whether an app would accept a bundle.
struct BundleVerifyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check whether an app would accept a bundle, and show its contents.",
        discussion: """
            Checks what the app checks: the signature, the application, the time, the version and, with --embedded, \
            which protection of the current policy the bundle removes. Exit codes: 0 the app would accept the bundle, \
            1 it would refuse it; the report gives the reason.
            """,
        examples: [
            "holdfast bundle verify shop.bundle --key a=pub.pem --application com.example"
        ]
    )

    @Argument(help: ArgumentHelp("The bundle file, or - for standard input.", valueName: "bundle"), completion: .file())
    var bundle: String

    @Option(help: ArgumentHelp("A trusted public key, as ID=FILE. Repeatable.", valueName: "id=file"))
    var key: [String]

    @Option(help: ArgumentHelp("The application that the bundle must be for.", valueName: "id"))
    var application: String

    @Option(help: ArgumentHelp("The app's current policy.", valueName: "file"), completion: .file())
    var embedded: String?

    @Option(help: ArgumentHelp("The app's current bundle version.", valueName: "number"))
    var embeddedVersion: Int64 = 0

    @Option(help: "What the bundle may remove: unpin, reportOnly, anchors. Repeatable.")
    var allow: [Permission] = []

    @Option(
        help: ArgumentHelp("The time to check at (default: now).", valueName: "time"),
        transform: BundleArgument.time)
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
        guard !key.isEmpty else { throw ValidationError("at least one --key is required") }
        var ids: Set<String> = []
        for argument in key {
            let (id, _) = try BundleVerifyCommand.parts(of: argument)
            guard ids.insert(id).inserted else {
                throw ValidationError("the key id '\(id)' is given twice: give each key a different id")
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
            let fields: [(String, JSONNode.Value?)] = [
                ("accepted", .bool(false)), ("code", .string(error.code.rawValue)), ("reason", .string(error.reason)),
            ]
            try console.print(BundleReport(fields, problems: error.problems.map(\.description)).text(asJSON: json))
            throw ToolError("", status: .failure)
        }
        guard case .bundle(let taken) = state.origin else { throw ToolError("the bundle is already in force") }
        try console.print(BundleReport(taken).text(asJSON: json))
    }

    private func readKey(_ argument: String) throws -> BundleKey {
        let (id, path) = try BundleVerifyCommand.parts(of: argument)
        let file = try InputFile(path: path).readAll(limit: BundleCommand.keySizeLimit)
        return try ToolError.explaining("'\(path)': ", BundleKey(id: id, publicKey: file))
    }

    /// Splits ID=FILE.
    private static func parts(of argument: String) throws -> (id: String, path: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw ValidationError("--key '\(argument)' is not ID=FILE, as in 2031-a=signing.pub")
        }
        return (try BundleKeyID.parse(parts[0]), parts[1])
    }

    /// Without a current policy there is nothing that a bundle could remove.
    private func embeddedPolicy(on console: Console) throws -> PinningPolicy {
        guard let embedded else { return .disabled(reason: "no policy was given") }
        return try PinningPolicy(holdfastJSON: try BundlePolicyFile(path: embedded, on: console).bytes)
    }
}
