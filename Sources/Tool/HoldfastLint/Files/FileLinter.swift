import Foundation
package import HoldfastFormats
package import HoldfastTrust

/// Determines a file's type and checks it.
package struct FileLinter {
    /// Reads a file with a size limit in bytes.
    package typealias Reading = (_ path: String, _ limit: Int) throws -> [UInt8]

    private let format: PolicyFormat?
    private let options: PolicyReadOptions
    private let times: LintTimes
    private let chain: PresentedChain?
    private let roots: [CertificateView]
    /// The first Info.plist. The others are compared with it.
    private var first: (path: String, bytes: [UInt8])?

    /// Creates a linter.
    ///
    /// - Parameters:
    ///   - format: The format of all policy files; `nil` detects it from the contents of each file.
    ///   - options: What the files do not contain. The receiving time of a header is that of `times`.
    ///   - times: The time of the check, and the notice before an expiry.
    ///   - chain: A server's chain, to compare with the pins.
    ///   - roots: The machine's roots, which no policy should pin.
    package init(
        format: PolicyFormat? = nil, options: PolicyReadOptions = PolicyReadOptions(), times: LintTimes,
        chain: PresentedChain? = nil, roots: [CertificateView]
    ) {
        self.format = format
        self.options = PolicyReadOptions(host: options.host, receivedAt: times.time, keys: options.keys)
        self.times = times
        self.chain = chain
        self.roots = roots
    }

    /// Returns the machine's roots. Without a list of roots, only one kind of finding is missing.
    package static func systemRoots() -> [CertificateView] {
        (try? SystemRoots.load(environment: ProcessInfo.processInfo.environment))?.certificates ?? []
    }

    /// Checks a file, which `read` reads, or a folder of certificates, and adds the findings to the report. Throws one
    /// sentence if a folder cannot be read, and what `read` throws.
    package mutating func check(_ path: String, _ report: inout LintReport, read: Reading) throws {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            return report.add(try folder(path) + uncompared, in: path, isFolder: true)
        }
        let bytes = try read(path, PolicyFormats.sizeLimit)
        let found = findings(in: bytes, path: path)
        report.add(found, in: path, source: found.contains { $0.position != nil } ? SourceColumns(bytes) : nil)
    }

    private mutating func findings(in bytes: [UInt8], path: String) -> [PolicyDiagnostic] {
        let isCertificate = bytes.first == 0x30 || PEMReader.isPEM(bytes)
        if isCertificate, format == nil {
            return PolicyLint.checkCertificates(
                [(name: path, bytes: bytes)], at: times.time, notice: times.certificateNotice) + uncompared
        }
        var findings = PolicyLint.checkConfiguration(bytes)
        if PolicyLint.hasTransportSecurity(bytes) {
            if let first {
                findings += PolicyLint.compareTransportSecurity(first.bytes, bytes, named: (first.path, path))
            } else {
                first = (path, bytes)
            }
            // An Info.plist need not contain pins.
            if format == nil, PolicyFormats.detect(bytes) == nil { return findings + uncompared }
        } else if format == nil, !findings.isEmpty, PolicyFormats.detect(bytes) == nil {
            return findings + uncompared
        }
        let document = PolicyFormats.read(bytes, as: format, named: Self.policyName(of: path), options: options)
        return findings
            + PolicyLint.check(document, at: times.time, chain: chain, roots: roots, notice: times.pinNotice)
    }

    /// Returns the name of a policy whose format does not have one: the name of its file.
    package static func policyName(of path: String) -> String {
        path == "-" ? "standard input" : String(path.split(separator: "/").last ?? "policy")
    }

    /// The finding for a file without pins when there is a chain to compare.
    private var uncompared: [PolicyDiagnostic] {
        guard chain != nil else { return [] }
        return [
            PolicyDiagnostic(
                .warning, .chainNotCompared, "the chain was not compared: this file is not a policy with pins",
                path: "")
        ]
    }

    private func folder(_ path: String) throws -> [PolicyDiagnostic] {
        let folder = CertificateFolder(path: path)
        let files = try folder.names().map { (name: $0, bytes: try folder.bytes(of: $0)) }
        return PolicyLint.checkCertificates(files, at: times.time, notice: times.certificateNotice)
    }
}

/// The time of a check, and how long before its end a pin or a certificate causes a warning.
package struct LintTimes: Hashable, Sendable {
    /// The maximum notice in days: ten years.
    ///
    /// - Error: exit code 64, or exit code 2 for a number in the configuration
    package static let maximumDays = 3_650

    /// The time of the check.
    package let time: Timestamp
    /// The notice in days; `nil` for the defaults of `PolicyLint`.
    package let days: Int?

    /// Creates the times of a check.
    package init(time: Timestamp, days: Int? = nil) {
        self.time = time
        self.days = days
    }

    /// Returns whether a notice in days is usable.
    package static func isUsable(days: Int) -> Bool { (0...maximumDays).contains(days) }

    /// The notice for pins in seconds.
    package var pinNotice: Int64 { days.map { Int64($0) * 86_400 } ?? PolicyLint.expiryNotice }

    /// The notice for certificates in seconds.
    package var certificateNotice: Int64 { days.map { Int64($0) * 86_400 } ?? PolicyLint.certificateNotice }
}
