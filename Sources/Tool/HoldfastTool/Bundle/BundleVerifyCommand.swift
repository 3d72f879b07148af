import ArgumentParser
import HoldfastTrust

/// `holdfast bundle verify`: checks whether an app would accept a bundle.
struct BundleVerifyCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "verify",
        abstract: "Check whether an app would accept a bundle, and show its contents.",
        discussion: """
            Checks what the app checks: the signature, the application, the time, the version and, with --embedded, \
            which protection of the current policy the bundle removes. For a bundle with a roll-out, the report says \
            whether the given installation would put it in force. Exit codes: 0 the app would accept the bundle, 1 it \
            would refuse the bundle, the halt or the timestamp; the report gives the reason.
            """,
        examples: [
            "holdfast bundle verify shop.bundle --key a=pub.pem --application com.example",
            "holdfast bundle verify shop.bundle --key a=pub.pem --application shop \\",
            "    --installation 00112233445566778899aabbccddeeff --app-version 2.4",
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

    @OptionGroup(title: "Roll-out")
    var rollout: RolloutOptions

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
        try BundleKeyFile.check(key, option: "--key")
    }

    func run(on console: Console) async throws {
        let keys = try key.map {
            try BundleKeyFile.verifier($0, option: "--key", role: .bundle) { id, bytes throws(BundleError) in
                try BundleKey(id: id, publicKey: bytes)
            }
        }
        let bytes = try console.readAll(bundle, limit: SignedBundle.maximumSize + 1)
        let time = at ?? TrustClock.system.now()
        var state = BundleState(
            embedded: try embeddedPolicy(on: console), version: embeddedVersion, keys: keys, application: application,
            permissions: allow.reduce(into: []) { $0.insert($1.permission) }, rollout: try rollout.settings())
        do {
            try state.offer(bytes, at: time)
            try rollout.offer(to: &state, at: time)
        } catch let error as BundleError {
            let fields: [(String, JSONNode.Value?)] = [
                ("accepted", .bool(false)), ("code", .string(error.code.rawValue)), ("reason", .string(error.reason)),
            ]
            try console.print(BundleReport(fields, problems: error.problems.map(\.description)).text(asJSON: json))
            throw ToolError("", status: .failure)
        }
        if let pending = state.pending {
            return try console.print(
                BundleReport(pending, rollout.fields(of: state, at: time)).text(asJSON: json))
        }
        guard case .bundle(let taken) = state.origin else { throw ToolError("the bundle is already in force") }
        try console.print(BundleReport(taken).text(asJSON: json))
    }

    /// Without a current policy there is nothing that a bundle could remove.
    private func embeddedPolicy(on console: Console) throws -> PinningPolicy {
        guard let embedded else { return .disabled(reason: "no policy was given") }
        return try PinningPolicy(holdfastJSON: try BundlePolicyFile(path: embedded, on: console).bytes)
    }
}
