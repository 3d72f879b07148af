import HoldfastFormats
import HoldfastTrust

extension PinAdvice {
    /// Returns a policy file with the keys of a plan, or `nil` if the plan is not advised.
    ///
    /// The keys have scopes: an authority's key does not match a server's certificate, and a server's key does not
    /// match an authority.
    func policy(for plan: Plan) -> (text: String?, findings: [PolicyDiagnostic])? {
        guard plan.isAdvised else { return nil }
        var rule = PinnedRule(pattern)
        rule.add(plan.keys.map(\.entry))
        let pins = zip(plan.keys, rule.keys).map { key, described in
            PolicyPin(text: described.digest.description, pin: key.pin, comment: described.comment)
        }
        let document = PolicyDocument(
            format: .holdfast, name: pattern.host.text, semantics: PolicySemantics(backupPins: .required(2)),
            domains: [PolicyDomain(text: pattern.description, pattern: pattern, pins: pins, path: "domains[0]")])
        let result = PolicyFormats.write(document, as: .holdfast)
        return (result.text, result.report)
    }
}

extension AdvisedKey {
    fileprivate var entry: PinEntry {
        var entry = PinEntry(certificates.first.map { .certificate($0) } ?? .publicKey(key))
        if role == .backup { entry = PinEntry(.publicKey(key)) }
        return entry
    }
}

extension PinAdvice: Encodable {
    private enum Keys: String, CodingKey {
        case host, sources, keys, ownKeys, authorityKeys, notes, commands
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(pattern.description, forKey: .host)
        try fields.encode(chains, forKey: .sources)
        try fields.encode(keys, forKey: .keys)
        try fields.encode(ownKeys, forKey: .ownKeys)
        try fields.encode(authorityKeys, forKey: .authorityKeys)
        try fields.encode(notes, forKey: .notes)
        try fields.encode(commands, forKey: .commands)
    }
}

extension PinAdvice.Chain: Encodable {
    private enum Keys: String, CodingKey {
        case source, system, systemReason, paths
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(source, forKey: .source)
        try fields.encode(paths.finding.code.rawValue, forKey: .system)
        try fields.encode(paths.finding.reason, forKey: .systemReason)
        try fields.encode(paths.paths.map { $0.map(\.spkiDigest.base64) }, forKey: .paths)
    }
}

extension PinAdvice.Plan: Encodable {
    private enum Keys: String, CodingKey {
        case advised, pins, survives, missing
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(isAdvised, forKey: .advised)
        // Incomplete sets have no pins, so that no program uses them.
        try fields.encode(isAdvised ? keys.map(\.key.digest.base64) : [], forKey: .pins)
        if isAdvised { try fields.encode(survival, forKey: .survives) }
        try fields.encode(missing, forKey: .missing)
    }
}

extension AdvisedKey: Encodable {
    private enum Keys: String, CodingKey {
        case source, role, key, pin, scope, paths, problem, survives, notAfter, certificates
    }

    private struct Certificate: Encodable {
        var subject: String
        var issuer: String
        var notBefore: String?
        var notAfter: String?
        var certificateSHA256: String
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(source, forKey: .source)
        try fields.encode(role.rawValue, forKey: .role)
        try fields.encode(key.keyDescription, forKey: .key)
        try fields.encode(key.digest.base64, forKey: .pin)
        try fields.encode(role.scope.rawValue, forKey: .scope)
        try fields.encode(paths, forKey: .paths)
        try fields.encodeIfPresent(problem, forKey: .problem)
        try fields.encodeIfPresent(survival, forKey: .survives)
        try fields.encodeIfPresent(ends?.description, forKey: .notAfter)
        try fields.encode(
            certificates.map {
                Certificate(
                    subject: $0.subject, issuer: $0.issuer, notBefore: $0.notBefore?.description,
                    notAfter: $0.notAfter?.description, certificateSHA256: $0.certificateDigest.base64)
            }, forKey: .certificates)
    }
}
