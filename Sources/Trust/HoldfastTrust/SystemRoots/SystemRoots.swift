/// The root certificates that the machine's administrator trusts.
///
/// Holdfast reads them itself on Linux: from the bundle of the distribution, or from where OpenSSL's variables
/// `SSL_CERT_FILE` and `SSL_CERT_DIR` point, and then from there alone. A root that cannot be read is skipped and
/// reported, so that one odd local root does not take the whole store away. On Apple platforms `SecTrust` does this
/// job, and ``load(environment:)`` throws.
public struct SystemRoots: Sendable, CustomStringConvertible {
    /// The files and folders that gave a root.
    public let sources: [String]
    /// What was found and could not be used, the first ``skippedLimit`` of it.
    public let skipped: [SkippedRoot]
    /// The environment variables that named the sources; empty for the well-known places.
    public let variables: [String]
    /// The roots, ready to be looked up. A reload makes another one, which is how caches notice it.
    package let index: AnchorIndex

    /// At most this many skipped entries are kept.
    public static let skippedLimit = 1_000

    /// What the files were like when they were read.
    let fingerprint: RootFingerprint

    init(_ harvest: RootHarvest, variables: [String]) {
        self.index = AnchorIndex(harvest.certificates)
        self.sources = harvest.sources
        self.skipped = harvest.skipped
        self.fingerprint = harvest.fingerprint
        self.variables = variables
    }

    /// The roots, each once.
    public var certificates: [CertificateView] { index.certificates }

    /// Where the roots come from, for logs.
    public var source: String { sources.map { Printable.text($0) }.joined(separator: ", ") }

    /// Whether `SSL_CERT_FILE` or `SSL_CERT_DIR` replaced the machine's own places. Worth a line in a log: whoever sets
    /// them decides whom this process trusts.
    public var overriddenByEnvironment: Bool { !variables.isEmpty }

    /// One line for a log.
    public var description: String {
        let origin = variables.isEmpty ? "" : ", named by \(variables.joined(separator: " and "))"
        let rest = skipped.isEmpty ? "" : "; \(skipped.count) skipped"
        return "\(certificates.count) roots from \(source)\(origin)\(rest)"
    }

    /// Reads the roots. Blocks the calling thread for some milliseconds; ``SystemRootStore`` keeps what was read.
    ///
    /// Throws ``SystemRootsError`` with `noRoots` if not one root can be used, and on Apple platforms always, with
    /// `notUsedOnThisPlatform`.
    public static func load(environment: [String: String]) throws(SystemRootsError) -> SystemRoots {
        #if canImport(Darwin)
        throw SystemRootsError(
            .notUsedOnThisPlatform,
            reason: "On this platform the system verifies its own roots, and there is no list of them to read.")
        #else
        return try load(from: RootLocations(environment: environment))
        #endif
    }
}
