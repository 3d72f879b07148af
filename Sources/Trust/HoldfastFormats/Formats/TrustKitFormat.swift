import HoldfastBase
import HoldfastTrust

/// Reads TrustKit's configuration with TrustKit's semantics:
///
/// - `TSKIncludeSubdomains` covers all depths below a host.
/// - The most specific entry applies.
/// - An enforced entry needs two pins.
struct TrustKitReader {
    private var findings = Findings()
    private var usesDefaultReporter = false

    static func read(_ root: PropertyNode, name: String) -> PolicyDocument {
        var reader = TrustKitReader()
        var document = PolicyDocument(format: .trustKit, name: name, semantics: PolicySemantics())
        reader.readTop(root, into: &document)
        document.diagnostics = reader.findings.all
        return document
    }

    private mutating func readTop(_ root: PropertyNode, into document: inout PolicyDocument) {
        var node = root
        var prefix = ""
        if let wrapped = root[TrustKitKey.configuration] {
            node = wrapped.value
            prefix = TrustKitKey.configuration + "."
        }
        for member in findings.members(node, prefix) where !TrustKitKey.global.contains(member.key) {
            // Without an enclosing TSKConfiguration, the dictionary may be an Info.plist, which has other keys.
            if !prefix.isEmpty || !TrustKitKey.infoList.contains(where: { member.key.hasPrefix($0) }) {
                findings.warning(
                    .unknownKey, "TrustKit does not know the key \"\(Printable.text(member.key))\"",
                    prefix + member.key, member.position)
            }
        }
        if let other = root[PinnedDomainsKey.transportSecurity]?.value[PinnedDomainsKey.domains] {
            findings.warning(
                .otherPins, "the file also contains NSPinnedDomains, which are not read here; read it in that format",
                "\(PinnedDomainsKey.transportSecurity).\(PinnedDomainsKey.domains)", other.position)
        }
        readGlobals(node, prefix)
        let path = prefix + TrustKitKey.domains
        guard let domains = node[TrustKitKey.domains] else {
            findings.error(
                .noPinnedDomains, "TSKPinnedDomains is missing; TrustKit refuses a configuration without domains",
                path, node.position)
            return
        }
        let members = findings.members(domains.value, path)
        if members.isEmpty, domains.value.members != nil {
            findings.error(.noPinnedDomains, "TSKPinnedDomains is empty", path, domains.position)
        }
        document.domains = members.map { domain($0, "\(path)[\"\(Printable.text($0.key))\"]") }
        findings.refuseDuplicates(in: document.domains)
        checkExclusions(document.domains)
        if usesDefaultReporter {
            findings.note(
                .defaultReportURI,
                "TrustKit also sends reports to its vendor, because TSKDisableDefaultReportUri is not set; Holdfast "
                    + "never does",
                path, domains.position)
        }
    }

    private mutating func readGlobals(_ node: PropertyNode, _ prefix: String) {
        let swizzle = node[TrustKitKey.swizzle]
        if findings.bool(swizzle, prefix + TrustKitKey.swizzle) == true {
            findings.warning(
                .swizzling, "swizzling is not supported: pass the policy to each client that must use it",
                prefix + TrustKitKey.swizzle, swizzle?.position)
        }
        let anchors = node[TrustKitKey.ignoreUserAnchors]
        if findings.bool(anchors, prefix + TrustKitKey.ignoreUserAnchors) == true {
            findings.warning(
                .userAnchors,
                "pins also apply to user-defined trust anchors; to change that, name the trust anchors in the policy",
                prefix + TrustKitKey.ignoreUserAnchors, anchors?.position)
        }
    }

    private mutating func domain(_ member: PropertyNode.Member, _ path: String) -> PolicyDomain {
        let node = member.value
        var domain = PolicyDomain(text: member.key, pattern: nil, path: path, position: member.position)
        for key in findings.members(node, path) where !TrustKitKey.domain.contains(key.key) {
            unknown(key, path)
        }
        let includesSubdomains =
            findings.bool(node[TrustKitKey.includeSubdomains], "\(path).\(TrustKitKey.includeSubdomains)") ?? false
        domain.pattern = findings.pattern(
            member.key, depth: includesSubdomains ? .apexAndAnyDepth : .exact, path, member.position)
        domain.isExcluded = isExcluded(node, path)
        if domain.isExcluded, (node.members?.count ?? 0) > 1 {
            findings.error(
                .exclusionWithOtherKeys, "an excluded subdomain must not have other keys than the exclude key", path,
                member.position)
        }
        domain.enforcement =
            findings.bool(node[TrustKitKey.enforce], "\(path).\(TrustKitKey.enforce)") == false
            ? .reportOnly : .enforce
        domain.hasPins = node[TrustKitKey.hashes] != nil
        if let hashes = node[TrustKitKey.hashes] {
            let path = "\(path).\(TrustKitKey.hashes)"
            for (index, value) in findings.array(hashes.value, path).enumerated() {
                guard let text = findings.string(value, "\(path)[\(index)]") else { continue }
                domain.pins.append(findings.pin(text, "\(path)[\(index)]", value.position))
            }
        }
        domain.expires = expiration(node[TrustKitKey.expiration], "\(path).\(TrustKitKey.expiration)")
        if let uris = node[TrustKitKey.reportURIs] {
            let path = "\(path).\(TrustKitKey.reportURIs)"
            for (index, value) in findings.array(uris.value, path).enumerated() {
                guard let text = findings.string(value, "\(path)[\(index)]") else { continue }
                domain.reportURIs.append(findings.reportURI(text, "\(path)[\(index)]", value.position))
            }
        }
        if let algorithms = node[TrustKitKey.algorithms] {
            findings.note(
                .deprecatedKey, "TSKPublicKeyAlgorithms is ignored, as in TrustKit: keys of every type are hashed",
                "\(path).\(TrustKitKey.algorithms)", algorithms.position)
        }
        let disabled = findings.bool(
            node[TrustKitKey.disableDefaultReportURI], "\(path).\(TrustKitKey.disableDefaultReportURI)")
        if disabled != true, !domain.isExcluded { usesDefaultReporter = true }
        return domain
    }

    private mutating func unknown(_ member: PropertyNode.Member, _ path: String) {
        let path = "\(path).\(Printable.text(member.key))"
        if member.key.lowercased().contains("exclude") {
            findings.error(
                .misspeltExcludeKey,
                "\"\(Printable.text(member.key))\" is not the exclude key: TrustKit ignores it, and the subdomain "
                    + "stays pinned. "
                    + "Write \(TrustKitKey.excludeAsRead)", path, member.position)
        } else {
            findings.warning(
                .unknownKey, "TrustKit ignores the unknown key \"\(Printable.text(member.key))\"", path,
                member.position)
        }
    }

    private mutating func isExcluded(_ node: PropertyNode, _ path: String) -> Bool {
        let documented = node[TrustKitKey.exclude]
        let read = node[TrustKitKey.excludeAsRead]
        let flag = findings.bool(documented, "\(path).\(TrustKitKey.exclude)")
        let other = findings.bool(read, "\(path).\(TrustKitKey.excludeAsRead)")
        if let documented {
            findings.warning(
                .misspeltExcludeKey,
                "TrustKit's documentation uses this spelling, but its source reads only \(TrustKitKey.excludeAsRead): "
                    + "the subdomain stays pinned in TrustKit", "\(path).\(TrustKitKey.exclude)", documented.position)
        }
        if let flag, let other, flag != other {
            findings.error(
                .contradiction, "the two spellings of the exclude key contradict each other", path, read?.position)
        }
        return flag == true || other == true
    }

    private mutating func expiration(_ member: PropertyNode.Member?, _ path: String) -> Timestamp? {
        guard let member else { return nil }
        switch member.value.value {
        case .date(let date): return date
        case .string(let text):
            if text.utf8.count == 10, let date = Timestamp(iso8601: text) { return date }
            findings.error(
                .invalidDate,
                "\"\(Printable.text(text))\" is not a valid date, expected a form such as 2027-01-31. TrustKit "
                    + "treats it as "
                    + "\"never\"; Holdfast does not",
                path, member.value.position)
        default:
            findings.error(
                .wrongType, "expected a date, found \(member.value.kind)", path, member.value.position)
        }
        return nil
    }

    /// Reports exclusions without a parent that includes subdomains, which TrustKit refuses.
    private mutating func checkExclusions(_ domains: [PolicyDomain]) {
        let parents = domains.filter { !$0.isExcluded }.compactMap(\.pattern).filter { $0.depth == .apexAndAnyDepth }
        let index = PatternIndex(parents)
        for domain in domains where domain.isExcluded {
            guard let host = domain.pattern?.host,
                !index.atOrAbove(host).contains(where: { parents[$0].host != host })
            else { continue }
            findings.error(
                at: domain, .exclusionWithoutParent,
                "\(host) is excluded, but no parent domain includes its subdomains")
        }
    }
}

/// Writes TrustKit's configuration, as a property list or as JSON.
enum TrustKitWriter {
    static func propertyList(_ domains: [FittedDomain]) -> String {
        PropertyListWriter.text(.fields([(TrustKitKey.configuration, configuration(domains))]))
    }

    static func json(_ domains: [FittedDomain]) -> String {
        JSONWriter.text(JSONNode.Value(configuration(domains)))
    }

    private static func configuration(_ domains: [FittedDomain]) -> PropertyNode.Value {
        .fields([
            (TrustKitKey.swizzle, .bool(false)),
            (TrustKitKey.domains, .fields(domains.map { ($0.pattern.host.text, domain($0)) })),
        ])
    }

    private static func domain(_ domain: FittedDomain) -> PropertyNode.Value {
        // Writes only the spelling that TrustKit reads, and no other keys, because TrustKit refuses them.
        if domain.isExcluded { return .fields([(TrustKitKey.excludeAsRead, .bool(true))]) }
        let expiration = domain.expires.map { PropertyNode.Value.string(String($0.description.prefix(10))) }
        let uris = domain.reportURIs.map { PropertyNode.Value.string($0) }
        let hashes = domain.pins.map { PropertyNode.Value.string($0.base64) }
        let fields: [(String, PropertyNode.Value?)] = [
            (TrustKitKey.includeSubdomains, .bool(domain.pattern.depth == .apexAndAnyDepth)),
            (TrustKitKey.enforce, .bool(domain.enforcement == .enforce)),
            (TrustKitKey.hashes, .list(hashes)),
            (TrustKitKey.expiration, expiration),
            (TrustKitKey.reportURIs, uris.isEmpty ? nil : .list(uris)),
            // The written configuration must not start to report to a third party.
            (TrustKitKey.disableDefaultReportURI, .bool(true)),
        ]
        return .fields(fields)
    }
}

extension JSONNode.Value {
    /// Creates a JSON value from a property list value.
    init(_ value: PropertyNode.Value) {
        switch value {
        case .null: self = .null
        case .bool(let flag): self = .bool(flag)
        case .integer(let number): self = .number(String(number))
        case .real(let text): self = .number(text)
        case .string(let text): self = .string(text)
        case .date(let date): self = .string(date.description)
        case .data(let bytes): self = .list(bytes.map { .number(String($0)) })
        case .array(let values): self = .list(values.map { JSONNode.Value($0.value) })
        case .dictionary(let members): self = .fields(members.map { ($0.key, JSONNode.Value($0.value.value)) })
        }
    }
}

/// The keys of TrustKit's configuration.
enum TrustKitKey {
    static let configuration = "TSKConfiguration"
    static let swizzle = "TSKSwizzleNetworkDelegates"
    static let ignoreUserAnchors = "TSKIgnorePinningForUserDefinedTrustAnchors"
    static let domains = "TSKPinnedDomains"

    static let hashes = "TSKPublicKeyHashes"
    static let enforce = "TSKEnforcePinning"
    static let includeSubdomains = "TSKIncludeSubdomains"
    /// The key in TrustKit's documentation. TrustKit itself reads only ``excludeAsRead``.
    static let exclude = "TSKExcludeSubdomainFromParentPolicy"
    /// The key in TrustKit's source.
    static let excludeAsRead = "kSKExcludeSubdomainFromParentPolicy"
    static let reportURIs = "TSKReportUris"
    static let disableDefaultReportURI = "TSKDisableDefaultReportUri"
    static let expiration = "TSKExpirationDate"
    static let algorithms = "TSKPublicKeyAlgorithms"

    /// The prefixes of keys in an app's Info.plist that do not concern pins.
    static let infoList = ["CF", "NS", "UI", "LS", "DT", "BuildMachine", "MinimumOS", "IT", "AppIdentifier"]
    static let global: Set<String> = [swizzle, ignoreUserAnchors, domains]
    static let domain: Set<String> = [
        hashes, enforce, includeSubdomains, exclude, excludeAsRead, reportURIs, disableDefaultReportURI, expiration,
        algorithms,
    ]
}
