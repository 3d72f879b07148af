import ArgumentParser
import HoldfastTrust

/// `holdfast bundle keygen`: makes a key pair for signing bundles.
struct BundleKeygenCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "keygen",
        abstract: "Makes a key pair: the private key stays with the operator, the public one goes into the app.",
        discussion: """
            The private key file gets mode 0600. A file that is already there is never written over: keys that apps were \
            shipped with cannot be made again.
            """
    )

    @Option(
        help: ArgumentHelp("The name by which bundles refer to the key.", valueName: "id"), transform: BundleKeyID.parse
    )
    var keyID: String

    @Option(help: ArgumentHelp("Where the private key goes.", valueName: "file"))
    var privateKey: String

    @Option(help: ArgumentHelp("Where the public key goes.", valueName: "file"))
    var publicKey: String

    @Option(
        help: "The algorithm: \(BundleAlgorithm.allCases.map(\.rawValue).joined(separator: " or ")).",
        transform: BundleArgument.algorithm)
    var algorithm: BundleAlgorithm = .ed25519

    @Flag(help: "Print one JSON object.")
    var json = false

    func validate() throws {
        for (option, path) in [("--private-key", privateKey), ("--public-key", publicKey)] where path == "-" {
            throw ValidationError("\(option) - is not possible: a key goes into a file of its own, as in ./signing.pem")
        }
        try check(privateKey != publicKey, "the two keys need two files")
    }

    func run(on console: Console) async throws {
        let key = BundleSigningKey(generating: algorithm, id: keyID)
        let files = [
            NewFile(path: privateKey, bytes: Array(key.privateKeyPEM.utf8), isPrivate: true),
            NewFile(path: publicKey, bytes: Array(key.publicKeyPEM.utf8), isPrivate: false),
        ]
        try NewFile.create(files)
        let fields: [(String, BundleReport.Value)] = [
            ("keyID", .text(keyID)), ("algorithm", .text(algorithm.rawValue)), ("privateKey", .text(privateKey)),
            ("publicKey", .text(publicKey)),
        ]
        try console.print(BundleReport(fields).text(asJSON: json))
    }
}
