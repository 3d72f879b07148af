public import HoldfastTrust

/// Reads and writes the pin formats of other libraries.
///
/// Each format is read with its own semantics into a `PolicyDocument`. Anything that cannot be read, or that a policy
/// cannot express, is a diagnostic with its position in the file. All functions are pure and take linear time in the
/// size of the text, up to the limits of the readers (16 MiB, see <doc:Formats>).
public enum PolicyFormats {
    /// The maximum size of a file in bytes.
    ///
    /// - Error: `PolicyDiagnostic.Code.tooLarge`
    public static let sizeLimit = 16 << 20

    /// Returns the maximum size of a file in the given format, in bytes. Headers and command line options have a lower
    /// limit.
    static func sizeLimit(of format: PolicyFormat) -> Int {
        switch format {
        case .hpkp, .curl: 1 << 20
        case .holdfast, .trustKit, .pinnedDomains, .android, .okHttp, .chromium: sizeLimit
        }
    }

    /// Reads a policy file. Never throws: errors are diagnostics of the document, and `policy()` throws them.
    ///
    /// - Parameters:
    ///   - bytes: The contents of the file.
    ///   - format: The format of the file. If it is `nil`, the format is detected from the contents.
    ///   - name: The policy's name if the format does not have one.
    ///   - options: Information that the file does not contain.
    public static func read(
        _ bytes: [UInt8], as format: PolicyFormat? = nil, named name: String = "", options: PolicyReadOptions = .init()
    ) -> PolicyDocument {
        var findings = Findings()
        guard let format = format ?? (bytes.count <= sizeLimit ? detect(bytes) : .holdfast) else {
            findings.error(.unknownFormat, "the format of the file is not recognized", "", .start)
            return failed(.holdfast, name, findings)
        }
        let name = name.isEmpty ? format.rawValue : name
        let limit = sizeLimit(of: format)
        guard bytes.count <= limit else {
            findings.error(.tooLarge, "the file has more than \(limit) bytes", "", .start)
            return failed(format, name, findings)
        }
        switch format {
        case .holdfast: return PolicyDocument(holdfastJSON: bytes)
        case .okHttp: return OkHttpReader.read(bytes, name: name)
        case .hpkp: return HPKPReader.read(bytes, name: name, host: options.host, receivedAt: options.receivedAt)
        case .curl: return CurlReader.read(bytes, name: name, host: options.host)
        case .trustKit, .pinnedDomains, .android, .chromium: break
        }
        do throws(SyntaxFault) {
            switch format {
            case .android: return AndroidReader.read(try XMLReader.read(bytes), name: name)
            case .pinnedDomains: return PinnedDomainsReader.read(try properties(bytes), name: name)
            case .chromium:
                let root = try properties(ChromiumReader.withoutComments(bytes))
                return ChromiumReader.read(root, name: name, keys: options.keys)
            default: return TrustKitReader.read(try properties(bytes), name: name)
            }
        } catch {
            findings.error(error)
            return failed(format, name, findings)
        }
    }

    /// Writes a document in another format.
    ///
    /// The report lists what that format cannot express, as an error if a host or a key loses its protection. The text
    /// is `nil` if the document is not a valid policy or if nothing can be written.
    public static func write(
        _ document: PolicyDocument, as format: PolicyFormat, options: PolicyWriteOptions = .init()
    ) -> ConversionResult {
        var report = document.diagnostics
        do throws(PolicyError) {
            _ = try document.policy()
        } catch {
            let known = Set(report.filter { $0.severity == .error }.map(\.path))
            for problem in error.problems where !known.contains(problem.path) {
                report.append(
                    PolicyDiagnostic(
                        .error, .unusablePolicy, problem.reason, path: problem.path, position: problem.position))
            }
            return ConversionResult(text: nil, report: report)
        }
        if format == .holdfast {
            var findings = Findings()
            let text = own(document, &findings).holdfastJSON
            return ConversionResult(text: text, report: report + findings.all)
        }
        var fitter = FormatFitter(document, to: format, at: options.time)
        let domains = fitter.fit(host: options.host)
        let text = domains.flatMap { self.text(of: $0, as: format, document, options) }
        return ConversionResult(text: text, report: report + fitter.report.all)
    }

    private static func text(
        of domains: [FittedDomain], as format: PolicyFormat, _ document: PolicyDocument, _ options: PolicyWriteOptions
    ) -> String? {
        switch format {
        case .holdfast: nil
        case .trustKit: options.prefersJSON ? TrustKitWriter.json(domains) : TrustKitWriter.propertyList(domains)
        case .pinnedDomains: PinnedDomainsWriter.text(of: domains)
        case .android: AndroidWriter.text(of: domains)
        case .okHttp: OkHttpWriter.text(of: domains)
        case .hpkp: domains.first.map { HPKPWriter.text(of: $0, at: options.time) }
        case .chromium:
            ChromiumWriter.text(of: domains, denied: document.denied.compactMap(\.pin).filter { $0.domain == .spki })
        case .curl: domains.first.map { CurlWriter.text(of: $0) }
        }
    }

    /// Returns the document with the meaning of empty pin lists made explicit.
    private static func own(_ document: PolicyDocument, _ findings: inout Findings) -> PolicyDocument {
        var result = document
        result.format = .holdfast
        if result.name.isEmpty { result.name = "unnamed" }
        let sets = Dictionary(document.pinSets.map { ($0.name, $0.pins) }) { first, _ in first }
        result.domains = document.domains.compactMap { domain in
            var domain = domain
            if domain.isExcluded {
                domain.pins = []
                domain.pinSetName = nil
            }
            if let expires = domain.expires, expires > Timestamp.lastWritten {
                findings.warning(
                    at: domain, .expiryLost, "the expiry at \(expires) cannot be written; the pins do not expire")
                domain.expires = nil
            }
            domain.expires = domain.expires.map { max($0, .firstWritten) }
            let pins = domain.pins + (domain.pinSetName.flatMap { sets[$0] } ?? [])
            guard !domain.isExcluded, pins.isEmpty, domain.requiredScopes.isEmpty else { return domain }
            switch document.semantics.emptyPins {
            case .error, .refuse: domain.requiredScopes = [.any]
            case .unpinned where document.semantics.precedence == .union:
                findings.note(
                    at: domain, .entryWithoutPins, "the entry for \(domain.text) has no pins, and is not written")
                return nil
            case .unpinned:
                domain.isExcluded = true
                domain.pinSetName = nil
            }
            return domain
        }
        return result
    }

    static func failed(_ format: PolicyFormat, _ name: String, _ findings: Findings) -> PolicyDocument {
        PolicyDocument(
            format: format, name: name.isEmpty ? "unnamed" : name, semantics: PolicySemantics(),
            diagnostics: findings.all)
    }

    /// Reads a property list, or JSON with the same structure.
    static func properties(_ bytes: [UInt8]) throws(SyntaxFault) -> PropertyNode {
        guard isJSON(bytes) else { return try PropertyListReader.read(bytes) }
        do throws(JSONFault) {
            return PropertyNode(try JSONReader.read(bytes))
        } catch {
            throw SyntaxFault(code: .invalidJSON, reason: error.reason, position: error.position)
        }
    }

    static func isJSON(_ bytes: [UInt8]) -> Bool {
        let body = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes[3...] : bytes[...]
        let first = body.first { $0 > 0x20 }
        return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }

    /// Reads a policy from a property list in memory: TrustKit's configuration (the dictionary itself, or a dictionary
    /// with `TSKConfiguration`), or a dictionary with `NSPinnedDomains`. The semantics are the same as for a file.
    ///
    /// Never throws: errors are diagnostics of the document, and `policy()` throws them. A format that does not use
    /// property lists is reported as the error `no-property-list`.
    public static func read(
        propertyList root: PropertyNode, as format: PolicyFormat, named name: String = ""
    ) -> PolicyDocument {
        let name = name.isEmpty ? format.rawValue : name
        switch format {
        case .trustKit: return TrustKitReader.read(root, name: name)
        case .pinnedDomains: return PinnedDomainsReader.read(root, name: name)
        case .holdfast, .android, .okHttp, .hpkp, .chromium, .curl:
            var findings = Findings()
            findings.error(
                .noPropertyList, "policies in the format \(format.rawValue) are not property lists", "")
            return failed(format, name, findings)
        }
    }
}

/// Information that a policy file does not contain.
public struct PolicyReadOptions: Sendable {
    /// The host to which an HPKP header or curl's pins apply, because these formats do not name it.
    public var host: String?
    /// The time at which an HPKP header was received, from which its `max-age` counts.
    public var receivedAt: Timestamp?
    /// The contents of Chromium's key file, which maps key names to hashes.
    public var keys: [UInt8]?

    /// Creates options.
    public init(host: String? = nil, receivedAt: Timestamp? = nil, keys: [UInt8]? = nil) {
        self.host = host
        self.receivedAt = receivedAt
        self.keys = keys
    }
}

/// Information that a target format requires in addition to the policy.
public struct PolicyWriteOptions: Sendable {
    /// The host whose rule is written if the format describes only one host (HPKP, curl).
    public var host: String?
    /// The time from which the `max-age` of an HPKP header counts.
    public var time: Timestamp?
    /// Whether TrustKit's configuration is written as JSON instead of a property list.
    public var prefersJSON: Bool

    /// Creates options.
    public init(host: String? = nil, time: Timestamp? = nil, prefersJSON: Bool = false) {
        self.host = host
        self.time = time
        self.prefersJSON = prefersJSON
    }
}

/// A policy in another format, with a report of what was lost.
public struct ConversionResult: Hashable, Sendable {
    /// The text, or `nil` if nothing could be written.
    public var text: String?
    /// The findings of the reader, followed by what the target cannot express. An error means that a host or a key
    /// would lose its protection, or that there is no text.
    public var report: [PolicyDiagnostic]

    /// Whether a host or a key would lose its protection, or there is no text.
    public var losesProtection: Bool { report.contains { $0.severity == .error } }
}
