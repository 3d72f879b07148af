import HoldfastBase

/// The root certificates that the machine's administrator trusts.
///
/// On Linux, Holdfast reads the roots from the distribution's bundle. If OpenSSL's environment variables
/// `SSL_CERT_FILE` or `SSL_CERT_DIR` are set, it reads only the locations that they name. A root that cannot be read is
/// skipped and reported, so that one unusual local root does not disable the whole store. On Apple platforms `SecTrust`
/// verifies chains, and ``load(environment:)`` throws.
public struct SystemRoots: Sendable, CustomStringConvertible {
    /// The files and folders that contained a root.
    public let sources: [String]
    /// The roots that could not be used, at most ``skippedLimit``.
    public let skipped: [SkippedRoot]
    /// The environment variables that named the sources; empty for the well-known locations.
    public let variables: [String]
    /// The roots, indexed for lookup. A reload creates a new index, which is how caches detect it.
    package let index: AnchorIndex

    /// The maximum number of skipped entries to keep. Further ones are not listed.
    public static let skippedLimit = 1_000

    /// The state of the files when they were read.
    let fingerprint: RootFingerprint

    init(_ harvest: RootHarvest, variables: [String]) {
        self.index = AnchorIndex(harvest.certificates)
        self.sources = harvest.sources
        self.skipped = harvest.skipped
        self.fingerprint = harvest.fingerprint
        self.variables = variables
    }

    /// The roots, without duplicates.
    public var certificates: [CertificateView] { index.certificates }

    /// The sources of the roots, for logs.
    public var source: String { sources.map { Printable.text($0) }.joined(separator: ", ") }

    /// Whether `SSL_CERT_FILE` or `SSL_CERT_DIR` replaced the machine's own locations. Log this fact: the variables
    /// decide which servers this process trusts.
    public var overriddenByEnvironment: Bool { !variables.isEmpty }

    /// A description in one line, for logs.
    public var description: String {
        let origin = variables.isEmpty ? "" : ", named by \(variables.joined(separator: " and "))"
        let rest = skipped.isEmpty ? "" : "; \(skipped.count) skipped"
        return "\(certificates.count) roots from \(source)\(origin)\(rest)"
    }

    /// Reads the roots. Blocks the calling thread for some milliseconds. ``SystemRootStore`` caches the result.
    ///
    /// Throws ``SystemRootsError`` with `noRoots` if no root can be used. On Apple platforms always throws
    /// `notUsedOnThisPlatform`.
    public static func load(environment: [String: String]) throws(SystemRootsError) -> SystemRoots {
        #if canImport(Darwin)
        throw SystemRootsError(
            .notUsedOnThisPlatform,
            reason: "On this platform the system verifies chains with its own roots, which Holdfast cannot read.")
        #else
        return try load(from: RootLocations(environment: environment))
        #endif
    }
}

extension SystemRoots {
    /// Reads the roots from the given locations.
    static func load(from locations: RootLocations) throws(SystemRootsError) -> SystemRoots {
        var harvest = RootHarvest()
        for file in locations.files {
            let found = harvest.add(file: file, isNamed: locations.areNamed)
            if found, !locations.areNamed { break }
        }
        if locations.areNamed || harvest.certificates.isEmpty {
            for folder in locations.folders { harvest.add(folder: folder, isNamed: locations.areNamed) }
        }
        guard !harvest.certificates.isEmpty else {
            let searched = locations.files + locations.folders
            throw SystemRootsError(
                .noRoots, searched: searched, skipped: harvest.skipped,
                reason: reason(searched, harvest.skipped, locations.variables))
        }
        return SystemRoots(harvest, variables: locations.variables)
    }

    private static func reason(_ searched: [String], _ skipped: [SkippedRoot], _ variables: [String]) -> String {
        let places = searched.map { Printable.text($0) }.joined(separator: ", ")
        let problem = skipped.first.map { " The first problem: \($0)" } ?? ""
        guard variables.isEmpty else {
            return "No usable root certificate was found in \(places), which "
                + "\(variables.joined(separator: " and ")) names. Correct or unset it.\(problem)"
        }
        return "No usable root certificate was found on this machine in \(places). Install the package "
            + "ca-certificates, or set SSL_CERT_FILE to the path of a bundle.\(problem)"
    }
}

/// A root certificate, file or folder of the machine's trust store that could not be used.
public struct SkippedRoot: Hashable, Sendable, CustomStringConvertible {
    /// The file or folder.
    public var path: String
    /// The line in a PEM file at which the certificate starts.
    public var line: Int?
    /// The reason.
    public var error: CertificateError

    /// Creates an entry.
    public init(path: String, line: Int? = nil, error: CertificateError) {
        self.path = path
        self.line = line
        self.error = error
    }

    /// A textual representation of the value.
    public var description: String {
        let place = line.map { ", line \($0)" } ?? ""
        return "\(Printable.text(path))\(place): \(error.reason)"
    }
}

/// The reason why the machine's roots are not available.
///
/// - Remedy: Install the system's certificates (`ca-certificates`), set `SSL_CERT_FILE`, or pass trust anchors.
public struct SystemRootsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure. The text is stable and safe as a metric label. New kinds may be added, so code that
    /// compares with the constants must handle others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The code as text.
        public let rawValue: String
        /// Creates a code from its text.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The code as text.
        public var description: String { rawValue }

        /// No usable root was found in the searched locations.
        public static let noRoots = Code(rawValue: "noRoots")
        /// The platform verifies system trust itself and does not expose its roots.
        public static let notUsedOnThisPlatform = Code(rawValue: "notUsedOnThisPlatform")
    }

    /// The kind of failure.
    public var code: Code
    /// The files and folders that were searched.
    public var searched: [String]
    /// The roots that were found but could not be used.
    public var skipped: [SkippedRoot]
    /// One sentence for people, with a remedy.
    public var reason: String

    /// Creates an error.
    public init(_ code: Code, searched: [String] = [], skipped: [SkippedRoot] = [], reason: String) {
        self.code = code
        self.searched = searched
        self.skipped = skipped
        self.reason = reason
    }

    /// The reason as text.
    public var description: String { reason }
}
