import HoldfastBase
import HoldfastTrust

/// Reads `NSPinnedDomains` with the semantics of Apple's implementation:
///
/// - `NSIncludesSubdomains` covers one label below the host.
/// - All entries that cover a host are combined.
/// - If both leaf and CA lists are present, both must match.
/// - An empty list matches nothing.
struct PinnedDomainsReader {
    private var findings = Findings()

    static func read(_ root: PropertyNode, name: String) -> PolicyDocument {
        var reader = PinnedDomainsReader()
        var document = PolicyDocument(
            format: .pinnedDomains, name: name,
            semantics: PolicySemantics(precedence: .union, backupPins: .off, emptyPins: .unpinned))
        reader.readTop(root, into: &document)
        document.diagnostics = reader.findings.all
        return document
    }

    private mutating func readTop(_ root: PropertyNode, into document: inout PolicyDocument) {
        var node = root
        var path = ""
        if let security = root[PinnedDomainsKey.transportSecurity] {
            node = security.value
            path = PinnedDomainsKey.transportSecurity + "."
        }
        path += PinnedDomainsKey.domains
        guard let domains = node[PinnedDomainsKey.domains] else {
            findings.error(.noPinnedDomains, "NSPinnedDomains is missing", path, node.position)
            return
        }
        document.domains = findings.members(domains.value, path)
            .map { domain($0, "\(path)[\"\(Printable.text($0.key))\"]") }
        findings.refuseDuplicates(in: document.domains)
        if let other = root[TrustKitKey.configuration] {
            findings.warning(
                .otherPins,
                "the file also contains a TrustKit configuration, which is not read here; read it in that format",
                TrustKitKey.configuration, other.position)
        }
    }

    private mutating func domain(_ member: PropertyNode.Member, _ path: String) -> PolicyDomain {
        let node = member.value
        var domain = PolicyDomain(
            text: member.key, pattern: nil, everyScopeMustMatch: true, path: path, position: member.position)
        let known: Set<String> = [
            PinnedDomainsKey.includesSubdomains, PinnedDomainsKey.authorities, PinnedDomainsKey.leaves,
        ]
        for key in findings.members(node, path) where !known.contains(key.key) {
            findings.warning(
                .unknownKey, "the key \"\(Printable.text(key.key))\" is unknown and ignored",
                "\(path).\(Printable.text(key.key))", key.position)
        }
        let flag = findings.bool(
            node[PinnedDomainsKey.includesSubdomains], "\(path).\(PinnedDomainsKey.includesSubdomains)")
        domain.pattern = findings.pattern(
            member.key, depth: flag == true ? .apexAndOneLabel : .exact, path, member.position)
        let authorities = identities(node[PinnedDomainsKey.authorities], .ca, "\(path).\(PinnedDomainsKey.authorities)")
        let leaves = identities(node[PinnedDomainsKey.leaves], .leaf, "\(path).\(PinnedDomainsKey.leaves)")
        domain.hasPins = authorities != nil || leaves != nil
        domain.pins = (authorities ?? []) + (leaves ?? [])
        // A single empty list requires a match that is impossible. Two empty lists do not require anything.
        if !domain.pins.isEmpty || authorities == nil || leaves == nil {
            if let authorities, authorities.isEmpty { domain.requiredScopes.insert(.ca) }
            if let leaves, leaves.isEmpty { domain.requiredScopes.insert(.leaf) }
        }
        if !domain.requiredScopes.isEmpty {
            findings.warning(
                .emptyIdentities, "an empty list of identities matches nothing: every connection is refused", path,
                member.position)
        } else if domain.pins.isEmpty {
            findings.warning(
                .unpinned, "the entry has no identities and does not pin its host", path, member.position)
        }
        return domain
    }

    private mutating func identities(
        _ member: PropertyNode.Member?, _ scope: Pin.Scope, _ path: String
    ) -> [PolicyPin]? {
        guard let member else { return nil }
        return findings.array(member.value, path).enumerated().compactMap { index, identity in
            let path = "\(path)[\(index)]"
            for key in findings.members(identity, path) where key.key != PinnedDomainsKey.hash {
                findings.warning(
                    .unknownKey, "the key \"\(Printable.text(key.key))\" is unknown and ignored", path,
                    key.position)
            }
            guard let hash = identity[PinnedDomainsKey.hash] else {
                if identity.members != nil {
                    findings.error(
                        .missingHash,
                        "the key \(PinnedDomainsKey.hash) is missing. Apple skips such an entry; Holdfast refuses it",
                        path,
                        identity.position)
                }
                return nil
            }
            guard let text = findings.string(hash.value, path) else { return nil }
            return findings.pin(text, scope: scope, path, hash.value.position)
        }
    }
}

/// Writes `NSPinnedDomains` inside `NSAppTransportSecurity`.
enum PinnedDomainsWriter {
    static func text(of domains: [FittedDomain]) -> String {
        let pinned = domains.map { ($0.pattern.host.text, PropertyNode.Value?.some(domain($0))) }
        let security = PropertyNode.Value.fields([(PinnedDomainsKey.domains, .fields(pinned))])
        return PropertyListWriter.text(.fields([(PinnedDomainsKey.transportSecurity, security)]))
    }

    private static func domain(_ domain: FittedDomain) -> PropertyNode.Value {
        func identities(_ scope: Pin.Scope) -> PropertyNode.Value? {
            let pins = domain.pins.filter { $0.scope == scope }
            guard !pins.isEmpty || domain.requiredScopes.contains(scope) else { return nil }
            return .list(pins.map { .fields([(PinnedDomainsKey.hash, .string($0.base64))]) })
        }
        return .fields([
            (PinnedDomainsKey.includesSubdomains, .bool(domain.pattern.depth == .apexAndOneLabel)),
            (PinnedDomainsKey.authorities, identities(.ca)),
            (PinnedDomainsKey.leaves, identities(.leaf)),
        ])
    }
}

/// The keys of `NSPinnedDomains`.
enum PinnedDomainsKey {
    static let transportSecurity = "NSAppTransportSecurity"
    static let domains = "NSPinnedDomains"
    static let includesSubdomains = "NSIncludesSubdomains"
    static let authorities = "NSPinnedCAIdentities"
    static let leaves = "NSPinnedLeafIdentities"
    static let hash = "SPKI-SHA256-BASE64"
}
