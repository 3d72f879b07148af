import ArgumentParser
import HoldfastTrust

/// `holdfast bundle keygen`: creates a key pair for signing bundles.
struct BundleKeygenCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Create a key pair for signing: a private key for the operator, a public key for the app.",
        discussion: """
            The private key file is created with mode 0600. Existing files are never overwritten, because the keys \
            that shipped apps contain cannot be created again. Use a separate key for each role, on separate machines: \
            a machine that publishes halts must not hold the key that signs policies.
            """,
        examples: [
            "holdfast bundle keygen --key-id a --private-key key.pem --public-key pub.pem",
            "holdfast bundle keygen --role halt --key-id h --private-key halt.pem \\",
            "    --public-key halt.pub",
        ]
    )

    @Option(help: ArgumentHelp("The key's id, which bundles refer to.", valueName: "id"), transform: BundleKeyID.parse)
    var keyID: String

    @Option(help: ArgumentHelp("The private key file to create.", valueName: "file"), completion: .file())
    var privateKey: String

    @Option(help: ArgumentHelp("The public key file to create.", valueName: "file"), completion: .file())
    var publicKey: String

    @Option(
        help: "The algorithm: \(BundleAlgorithm.allCases.map(\.rawValue).joined(separator: " or ")).",
        transform: BundleArgument.algorithm)
    var algorithm: BundleAlgorithm = .ed25519

    @Option(help: "What the key signs: bundle, halt or timestamp.")
    var role: BundleKeyRole = .bundle

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        for (option, path) in [("--private-key", privateKey), ("--public-key", publicKey)] where path == "-" {
            throw ValidationError("\(option) - is not supported: give a file for the key, such as ./signing.pem")
        }
        try check(privateKey != publicKey, "--private-key and --public-key must be different files")
    }

    func run(on console: Console) async throws {
        let key = BundleSigningKey(generating: algorithm, id: keyID)
        let files = [
            NewFile(path: privateKey, bytes: role.file(key.privateKeyPEM), isPrivate: true),
            NewFile(path: publicKey, bytes: role.file(key.publicKeyPEM), isPrivate: false),
        ]
        try NewFile.create(files)
        let report = BundleReport([
            ("keyID", .string(keyID)), ("algorithm", .string(algorithm.rawValue)), ("privateKey", .string(privateKey)),
            ("publicKey", .string(publicKey)), ("role", role == .bundle ? nil : .string(role.rawValue)),
        ])
        try console.print(report.text(asJSON: json))
    }
}
