import HoldfastTrust

/// Writes TrustKit's configuration, as a property list or as JSON.
enum TrustKitWriter {
    static func propertyList(_ domains: [AdaptedDomain]) -> String {
        PropertyListWriter.text(.fields([(TrustKitKey.configuration, configuration(domains))]))
    }

    static func json(_ domains: [AdaptedDomain]) -> String {
        JSONWriter.text(JSONNode.Value(configuration(domains)))
    }

    private static func configuration(_ domains: [AdaptedDomain]) -> PropertyNode.Value {
        .fields([
            (TrustKitKey.swizzle, .bool(false)),
            (TrustKitKey.domains, .fields(domains.map { ($0.pattern.host.text, domain($0)) })),
        ])
    }

    private static func domain(_ domain: AdaptedDomain) -> PropertyNode.Value {
        // The spelling that TrustKit reads, and nothing beside it: both are rules of TrustKit's.
        if domain.isExcluded { return .fields([(TrustKitKey.excludeAsRead, .bool(true))]) }
        let expiration = domain.expires.map { PropertyNode.Value.string(String($0.description.prefix(10))) }
        let uris = domain.reportURIs.map { PropertyNode.Value.string($0) }
        let hashes = domain.pins.map { PropertyNode.Value.string($0.digest.base64) }
        let fields: [(String, PropertyNode.Value?)] = [
            (TrustKitKey.includeSubdomains, .bool(domain.pattern.depth == .apexAndAnyDepth)),
            (TrustKitKey.enforce, .bool(domain.enforcement == .enforce)),
            (TrustKitKey.hashes, .list(hashes)),
            (TrustKitKey.expiration, expiration),
            (TrustKitKey.reportURIs, uris.isEmpty ? nil : .list(uris)),
            // What is written here must not begin to report to a third party.
            (TrustKitKey.disableDefaultReportURI, .bool(true)),
        ]
        return .fields(fields)
    }
}

extension JSONNode.Value {
    /// A property list's value as JSON.
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
