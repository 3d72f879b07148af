import HoldfastSystem

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// Collects root certificates from files and folders, and records those that cannot be used.
struct RootHarvest {
    private(set) var certificates: [CertificateView] = []
    private(set) var sources: [String] = []
    private(set) var skipped: [SkippedRoot] = []
    private(set) var fingerprint = RootFingerprint()
    private var bytesRead = 0
    /// The files already read, independent of their names: a folder of roots contains links to each file.
    private var filesRead: Set<FileIdentity> = []

    /// The maximum number of certificates in a store. The largest public stores have a few hundred.
    ///
    /// - Error: `CertificateError.Code.tooLarge`
    static let certificateLimit = 10_000
    /// The maximum number of bytes in a store.
    ///
    /// - Error: `CertificateError.Code.tooLarge`
    static let byteLimit = 64 << 20
    /// The maximum number of entries in a folder.
    ///
    /// - Error: `CertificateError.Code.tooLarge`
    static let entryLimit = 10_000

    /// Reads a bundle or a single certificate. Returns whether it contained a usable root. Reports a missing file only
    /// if an environment variable names it.
    @discardableResult
    mutating func add(file path: String, isNamed: Bool) -> Bool {
        guard let identity = fingerprint.look(at: path) else {
            if isNamed { skip(path, CertificateError(.unreadableFile, "The file does not exist.")) }
            return false
        }
        let found = read(path, identity)
        if found { sources.append(path) }
        return found
    }

    /// Reads every regular file in a folder, but not in its subfolders.
    mutating func add(folder path: String, isNamed: Bool) {
        guard fingerprint.look(at: path) != nil || isNamed else { return }
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: path) else {
            skip(path, CertificateError(.unreadableFile, "The folder cannot be read."))
            return
        }
        var found = false
        for name in names.sorted().prefix(Self.entryLimit) {
            let file = path + "/" + name
            guard let identity = fingerprint.look(at: file), identity.isRegularFile else { continue }
            found = read(file, identity) || found
        }
        if names.count > Self.entryLimit {
            skip(path, CertificateError(.tooLarge, "The folder has more than \(Self.entryLimit) entries."))
        }
        if found { sources.append(path) }
    }

    private mutating func read(_ path: String, _ identity: FileIdentity) -> Bool {
        guard filesRead.insert(identity).inserted else { return false }
        let before = certificates.count
        do throws(CertificateError) {
            guard bytesRead < Self.byteLimit else {
                throw CertificateError(.tooLarge, "The store exceeds the limit of \(Self.byteLimit) bytes.")
            }
            let bytes = try CertificateLoading.bytes(atPath: path)
            bytesRead += bytes.count
            guard PEMReader.isPEM(bytes) else {
                try append(try CertificateView(der: bytes))
                return true
            }
            readBlocks(of: bytes, path)
        } catch {
            skip(path, error)
        }
        return certificates.count > before
    }

    private mutating func readBlocks(of bytes: [UInt8], _ path: String) {
        var reader = PEMReader(bytes)
        while let block = reader.next() {
            switch block {
            case .failure(let error):
                skip(path, error)
            case .success(let block) where block.isCertificate:
                do throws(CertificateError) {
                    try append(try CertificateView(der: block.der))
                } catch {
                    skip(path, error, line: block.line)
                }
            case .success(let block) where block.label == "TRUSTED CERTIFICATE":
                // This is OpenSSL's own format. It contains trust settings after the certificate that only OpenSSL
                // understands.
                let error = CertificateError(.notACertificate, "OpenSSL's TRUSTED CERTIFICATE format is not supported.")
                skip(path, error, line: block.line)
            case .success:
                break
            }
        }
    }

    private mutating func append(_ certificate: CertificateView) throws(CertificateError) {
        guard certificates.count < Self.certificateLimit else {
            throw CertificateError(.tooLarge, "The store exceeds the limit of \(Self.certificateLimit) certificates.")
        }
        certificates.append(certificate)
    }

    private mutating func skip(_ path: String, _ error: CertificateError, line: Int? = nil) {
        guard skipped.count < SystemRoots.skippedLimit else { return }
        skipped.append(SkippedRoot(path: path, line: line, error: error))
    }
}

/// The state of every file and folder that was searched for roots, taken before it was read.
///
/// Missing paths are recorded as well, because a bundle may appear later. Not detected: a file whose bytes are replaced
/// in place, with the same size, within the resolution of the file system's clock.
struct RootFingerprint: Hashable, Sendable {
    private var identities: [String: FileIdentity?] = [:]

    /// Records and returns the state of a path. Follows symbolic links. Returns `nil` if the path does not exist.
    mutating func look(at path: String) -> FileIdentity? {
        let identity = FileIdentity(path: path)
        identities[path] = .some(identity)
        return identity
    }

    /// Whether the state of every path is unchanged. Reads the file system.
    var isCurrent: Bool {
        identities.allSatisfy { FileIdentity(path: $0.key) == $0.value }
    }
}

/// The locations of the machine's root certificates.
struct RootLocations: Hashable, Sendable {
    /// The bundles. Of the well-known bundles, only the first one with a usable root is used. Of the named bundles, all
    /// are used.
    var files: [String]
    /// The folders whose files each contain one or more certificates. The well-known folders are used only if no bundle
    /// has a usable root.
    var folders: [String]
    /// The environment variables that named the locations; empty for the well-known locations.
    var variables: [String] = []

    static let fileVariable = "SSL_CERT_FILE"
    static let folderVariable = "SSL_CERT_DIR"

    /// The locations at which Linux distributions install the bundle.
    static let wellKnown = RootLocations(
        files: [
            "/etc/ssl/certs/ca-certificates.crt",  // Debian, Ubuntu, Arch, Gentoo
            "/etc/pki/ca-trust/extracted/pem/tls-ca-bundle.pem",  // Fedora, RHEL, Amazon Linux
            "/etc/pki/tls/certs/ca-bundle.crt",  // older Fedora and RHEL
            "/etc/ssl/ca-bundle.pem",  // SUSE
            "/etc/pki/tls/cacert.pem",  // OpenELEC
            "/etc/ssl/cert.pem",  // Alpine
        ],
        folders: ["/etc/ssl/certs", "/etc/pki/tls/certs"])
}

extension RootLocations {
    /// Creates the locations from OpenSSL's environment variables. If a variable is set, only the named locations are
    /// used; otherwise the well-known ones. An empty variable counts as not set. Colons separate folders.
    init(environment: [String: String]) {
        let file = environment[Self.fileVariable].flatMap { $0.isEmpty ? nil : $0 }
        let folders = environment[Self.folderVariable]?.split(separator: ":").map(String.init) ?? []
        guard file != nil || !folders.isEmpty else {
            self = .wellKnown
            return
        }
        self.files = file.map { [$0] } ?? []
        self.folders = folders
        self.variables = (file == nil ? [] : [Self.fileVariable]) + (folders.isEmpty ? [] : [Self.folderVariable])
    }

    /// Whether environment variables named the locations.
    var areNamed: Bool { !variables.isEmpty }
}
