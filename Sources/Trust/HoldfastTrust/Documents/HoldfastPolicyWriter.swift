/// Writes a document in version 1 of Holdfast's own format.
enum HoldfastPolicyWriter {
    static func text(of document: PolicyDocument) -> String {
        let semantics = document.semantics
        let backup: JSONNode.Value =
            switch semantics.backupPins {
            case .required(let count): .number(String(count))
            case .warn: .string("warn")
            case .off: .string("off")
            }
        return JSONWriter.text(
            .fields([
                ("holdfast", .number("1")),
                ("name", .string(document.name)),
                ("precedence", semantics.precedence == .mostSpecific ? nil : .string(semantics.precedence.rawValue)),
                ("unlistedHosts", semantics.requiresRuleForEveryHost ? .string("refuse") : nil),
                ("backupPins", semantics.backupPins == .required(2) ? nil : backup),
                (
                    "pinSets",
                    document.pinSets.isEmpty
                        ? nil : .fields(document.pinSets.map { ($0.name, .list($0.pins.map(pin))) })
                ),
                ("domains", .list(document.domains.map(domain))),
                ("deny", document.denied.isEmpty ? nil : .list(document.denied.map(pin))),
                ("anchors", document.anchors.map(anchors)),
            ]))
    }

    private static func domain(_ domain: PolicyDomain) -> JSONNode.Value {
        let depth = domain.pattern?.depth ?? .exact
        return .fields([
            ("host", .string(domain.pattern?.host.text ?? domain.text)),
            ("includesSubdomains", depth == .apexAndAnyDepth ? .bool(true) : nil),
            ("depth", depth == .exact || depth == .apexAndAnyDepth ? nil : .string(depth.rawValue)),
            ("excluded", domain.isExcluded ? .bool(true) : nil),
            ("pinSet", domain.pinSetName.map { .string($0) }),
            (
                "pins",
                domain.pins.isEmpty && domain.pinSetName != nil || domain.isExcluded ? nil : .list(domain.pins.map(pin))
            ),
            ("everyScopeMustMatch", domain.everyScopeMustMatch ? .bool(true) : nil),
            (
                "requiredScopes",
                domain.requiredScopes.isEmpty
                    ? nil : .list(domain.requiredScopes.map(\.rawValue).sorted().map { .string($0) })
            ),
            ("enforcement", domain.enforcement == .enforce ? nil : .string(domain.enforcement.rawValue)),
            ("transparency", domain.transparency.map(\.json)),
            ("expires", domain.expires.map { .text($0) }),
            ("reportURIs", domain.reportURIs.isEmpty ? nil : .list(domain.reportURIs.map { .string($0) })),
        ])
    }

    private static func pin(_ pin: PolicyPin) -> JSONNode.Value {
        guard let value = pin.pin else { return .string(pin.text) }
        if let digest = value.spkiDigest, value.scope == .any, pin.comment == nil { return .text(digest) }
        return .fields([
            ("sha256", .string(value.base64)),
            ("scope", value.scope == .any ? nil : .string(value.scope.rawValue)),
            ("domain", value.domain == .spki ? nil : .string(value.domain.rawValue)),
            ("comment", pin.comment.map { .string($0) }),
        ])
    }

    private static func anchors(_ anchors: LocalAnchors) -> JSONNode.Value {
        .fields([
            ("mode", .string(anchors.replaceOthers ? "only" : "additional")),
            ("pinning", anchors.pinning == .enforced ? nil : .string(anchors.pinning.rawValue)),
            ("certificates", .list(anchors.certificates.map { .string($0.pem) })),
        ])
    }
}
