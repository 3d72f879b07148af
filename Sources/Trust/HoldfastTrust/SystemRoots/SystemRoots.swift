import HoldfastBase

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

extension SystemRoots {
    /// Reads the roots from given places.
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
            return "There is no usable root certificate in \(places), which "
                + "\(variables.joined(separator: " and ")) names. Correct or unset it.\(problem)"
        }
        return "There is no usable root certificate on this machine; looked in \(places). Install the package "
            + "ca-certificates, or let SSL_CERT_FILE name a bundle.\(problem)"
    }
}

/// Why the machine's own roots cannot be had.
public struct SystemRootsError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of failure: stable, and a safe metric label. The set may grow: compare with the constants, and expect others.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public var description: String { rawValue }

        /// Not one usable root was found where the roots should be.
        public static let noRoots = Code(rawValue: "noRoots")
        /// The platform verifies system trust itself, and hands no roots out.
        public static let notUsedOnThisPlatform = Code(rawValue: "notUsedOnThisPlatform")
    }

    /// The kind of failure.
    public var code: Code
    /// The files and folders that were looked at.
    public var searched: [String]
    /// What was found there and could not be used.
    public var skipped: [SkippedRoot]
    /// One sentence for a person, with the remedy.
    public var reason: String

    /// Makes an error.
    public init(_ code: Code, searched: [String] = [], skipped: [SkippedRoot] = [], reason: String) {
        self.code = code
        self.searched = searched
        self.skipped = skipped
        self.reason = reason
    }

    public var description: String { reason }
}

/// A root certificate, a file or a folder of the machine's trust store that could not be used.
public struct SkippedRoot: Hashable, Sendable, CustomStringConvertible {
    /// The file or folder.
    public var path: String
    /// The line of the file on which the certificate begins, in PEM.
    public var line: Int?
    /// What is wrong.
    public var error: CertificateError

    /// Names something that was skipped.
    public init(path: String, line: Int? = nil, error: CertificateError) {
        self.path = path
        self.line = line
        self.error = error
    }

    public var description: String {
        let place = line.map { ", line \($0)" } ?? ""
        return "\(Printable.text(path))\(place): \(error.reason)"
    }
}
