import ArgumentParser
import HoldfastTrust

/// What a key of the bundle commands signs.
///
/// The keys have separate roles, so that a machine that publishes halts or timestamps never holds the key that signs
/// policies. The first line of a key file names its role.
enum BundleKeyRole: String, ExpressibleByArgument, CaseIterable, Sendable {
    case bundle, halt, timestamp

    /// The line before the PEM text, or `nil` for bundles: their key files never had one.
    private var heading: String? {
        switch self {
        case .bundle: nil
        case .halt: "This key signs halts of Holdfast bundles."
        case .timestamp: "This key signs timestamps of Holdfast bundles."
        }
    }

    /// Returns the contents of a key file with this role.
    func file(_ pem: String) -> [UInt8] { Array(((heading.map { $0 + "\n" } ?? "") + pem).utf8) }

    /// Returns the role that a key file names, or `nil`.
    fileprivate static func named(in bytes: [UInt8]) -> BundleKeyRole? {
        let text = String(decoding: bytes.prefix { $0 != 0x0A && $0 != 0x0D }, as: UTF8.self)
        return allCases.first { $0.heading == text }
    }
}

/// Reads the key files of the bundle commands.
enum BundleKeyFile {
    /// Reads a private key with a role.
    ///
    /// Throws an error if the file names another role. A key for halts or timestamps must name its role: the signing
    /// key must not be used in its place.
    static func signer(path: String, id: String, role: BundleKeyRole) throws(ToolError) -> BundleSigningKey {
        let bytes = try read(path)
        let named = BundleKeyRole.named(in: bytes) ?? .bundle
        guard named == role else { throw mismatch(path, named, role) }
        // Text before the PEM block is not part of the key.
        let start = bytes.firstRange(of: Array("-----BEGIN".utf8))?.lowerBound ?? 0
        return try ToolError.explaining("'\(path)': ", BundleSigningKey(id: id, pem: Array(bytes[start...])))
    }

    /// Reads a public key given as ID=FILE. `make` creates it from its id and bytes.
    static func verifier<Key>(
        _ argument: String, option: String, role: BundleKeyRole,
        _ make: (_ id: String, _ bytes: [UInt8]) throws(BundleError) -> Key
    ) throws -> Key {
        let (id, path) = try parts(of: argument, option: option)
        let bytes = try read(path)
        // Other programs that extract a public key do not copy the line.
        if let named = BundleKeyRole.named(in: bytes), named != role { throw mismatch(path, named, role) }
        return try ToolError.explaining("'\(path)': ", make(id, bytes))
    }

    /// Checks that each argument is ID=FILE and that no id is repeated.
    static func check(_ arguments: [String], option: String) throws {
        var ids: Set<String> = []
        for argument in arguments {
            let (id, _) = try parts(of: argument, option: option)
            guard ids.insert(id).inserted else {
                throw ValidationError("the key id '\(id)' is given twice: give each key a different id")
            }
        }
    }

    private static func read(_ path: String) throws(ToolError) -> [UInt8] {
        try InputFile(path: path).readAll(limit: BundleCommand.keySizeLimit)
    }

    private static func mismatch(_ path: String, _ named: BundleKeyRole, _ role: BundleKeyRole) -> ToolError {
        ToolError(
            "'\(path)' is a key for the role \(named.rawValue), but the role \(role.rawValue) is needed. "
                + "Create one: holdfast bundle keygen --role \(role.rawValue)")
    }

    /// Splits ID=FILE.
    private static func parts(of argument: String, option: String) throws -> (id: String, path: String) {
        let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        guard parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty else {
            throw ValidationError("\(option) '\(argument)' is not ID=FILE, as in 2031-a=signing.pub")
        }
        return (try BundleKeyID.parse(parts[0]), parts[1])
    }
}
