import Foundation
import HoldfastFormats
import HoldfastTrust

/// Determines a file's type and checks it.
struct FileLinter {
    private let format: PolicyFormat?
    private let input: PolicyInput
    private let chain: PresentedChain?
    private let keys: [UInt8]?
    private let roots: [CertificateView]
    /// The first Info.plist. The others are compared with it.
    private var first: (path: String, bytes: [UInt8])?

    init(format: PolicyFormat?, input: PolicyInput, chain: PresentedChain?, keys: [UInt8]?) {
        self.format = format
        self.input = input
        self.chain = chain
        self.keys = keys
        // Without a list of roots, only one kind of finding is missing.
        self.roots = (try? SystemRoots.load(environment: ProcessInfo.processInfo.environment))?.certificates ?? []
    }

    mutating func findings(in path: String, on console: Console) throws -> [PolicyDiagnostic] {
        var isFolder: ObjCBool = false
        if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
            return try folder(path) + uncompared
        }
        let bytes = try console.readAll(path, limit: PolicyFormats.sizeLimit)
        let isCertificate = bytes.first == 0x30 || PEMReader.isPEM(bytes)
        if isCertificate, format == nil {
            return PolicyLint.checkCertificates([(name: path, bytes: bytes)], at: input.time) + uncompared
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
        let document = input.document(bytes, path: path, as: format, keys: keys)
        return findings + PolicyLint.check(document, at: input.time, chain: chain, roots: roots)
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
        return PolicyLint.checkCertificates(files, at: input.time)
    }
}
