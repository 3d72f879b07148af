import HoldfastTrust

/// A policy that would end the failures of an incident: a file for `holdfast bundle sign`. The desk never signs.
package struct PolicyDraft: Hashable, Sendable {
    /// Why there is no draft.
    package struct Refusal: Error, Hashable, Sendable {
        /// The reason in one sentence.
        package var reason: String
    }

    /// The name of the file.
    package static let fileName = "policy-draft.json"
    /// How long the end of pins is moved, and the longest validity of the suggested bundle, in seconds.
    private static let extensionTime: Int64 = 365 * 86_400
    private static let bundleTime: Int64 = 90 * 86_400
    /// How long before now the suggested bundle becomes valid, for devices with slow clocks, in seconds.
    private static let clockTime: Int64 = 7 * 86_400

    /// The policy in Holdfast's format.
    package var policy: String
    /// The changes to the policy that is the base, one sentence each.
    package var changes: [String]
    /// What a person must check before signing, one sentence each.
    package var warnings: [String]
    /// The command that signs the draft.
    package var signCommand: String

    /// Creates the draft for a diagnosis.
    ///
    /// The base is the newest known policy of the application. Without one, the draft contains only the reported host.
    ///
    /// - Throws: ``Refusal`` if a policy does not help, or would accept an attacker.
    package init(_ kind: IncidentDiagnosis.Kind, _ evidence: IncidentEvidence) throws(Refusal) {
        guard kind.isFixedByPolicy else {
            throw Refusal(reason: "A new policy does not end this incident, so there is no draft.")
        }
        let base = evidence.catalog.policies(for: evidence.application).first
        var draft = if let base { PolicyEdit(base.document) } else { try PolicyEdit(evidence) }
        var changes: [String] = []
        switch kind {
        case .rotationToUnknownKey:
            guard let leaf = evidence.chain.leaf else {
                throw Refusal(reason: "No stored report contains the certificate, so there is no key to add.")
            }
            changes.append(try draft.add(leaf, of: evidence))
        case .rotationToKnownBackup:
            guard let base, evidence.chain.readable.contains(where: { base.pins(for: evidence.host).contains($0.pin) })
            else {
                throw Refusal(
                    reason: "The newest known policy does not list the key. Publish the bundle that lists it, "
                        + "or add the key to the newest policy.")
            }
            changes.append("The draft is the policy of \(base.title) without changes. It lists the key.")
        case .policyEndsSoon:
            changes.append(
                try draft.extend(
                    evidence.host, to: evidence.now.advanced(bySeconds: Self.extensionTime), after: evidence.now))
        case .wrongClock, .expiredCertificate, .captivePortal, .interception, .unknown: break
        }
        self.changes = changes
        policy = try draft.text()
        warnings = Self.warnings(kind, base)
        signCommand = Self.command(evidence, base)
    }

    private static func warnings(_ kind: IncidentDiagnosis.Kind, _ base: KnownPolicy?) -> [String] {
        var warnings: [String] = []
        if kind == .rotationToUnknownKey {
            warnings.append(
                "Reports can be forged. Compare the added key with that of the server's operator before you sign.")
        }
        if base == nil {
            warnings.append(
                "The desk knows no policy of this app. The draft contains only this host: add it to your policy.")
        }
        warnings.append("Check the signed bundle with holdfast bundle verify before you publish it.")
        return warnings
    }

    private static func command(_ evidence: IncidentEvidence, _ base: KnownPolicy?) -> String {
        let application = (base?.application ?? evidence.application)
        let version = base?.version.map { String($0 &+ 1) } ?? "VERSION"
        let begin = evidence.now.advanced(bySeconds: -clockTime).description.prefix(10)
        let end = evidence.now.advanced(bySeconds: bundleTime).description.prefix(10)
        return """
            holdfast bundle sign \(fileName) --key signing.pem --key-id KEY-ID \
            --application \(ShellWord.quoted(application) ?? "APPLICATION") --version \(version) --not-before \(begin) \
            --not-after \(end) --output new.bundle
            """
    }
}

/// A policy that is being changed for a draft.
private struct PolicyEdit {
    private var document: PolicyDocument

    init(_ document: PolicyDocument) {
        self.document = document
    }

    /// Creates a policy with only the reported host and the pins that the apps expected.
    init(_ evidence: IncidentEvidence) throws(PolicyDraft.Refusal) {
        let pins = evidence.expectedPins.compactMap { try? SPKIDigest($0) }.map { PolicyPin(Pin($0)) }
        guard !pins.isEmpty else {
            throw PolicyDraft.Refusal(
                reason: "The desk knows no policy of this app, and the reports contain no pins, so there is no draft.")
        }
        let domain = PolicyDomain(
            text: evidence.host.text, pattern: HostPattern(evidence.host), pins: pins, expires: evidence.pinsEnd)
        document = PolicyDocument(format: .holdfast, name: "draft", semantics: PolicySemantics(), domains: [domain])
    }

    /// Adds the key of a certificate to the rule for the host, with the scope of the rule's other pins. A wider scope
    /// would make the policy less strict, and apps would refuse the bundle.
    mutating func add(
        _ certificate: DecodedCertificate, of evidence: IncidentEvidence
    ) throws(PolicyDraft.Refusal) -> String {
        let rule = try pinned(evidence.host)
        let scopes = Set(listed(rule).compactMap { $0.pin?.scope })
        var added = certificate
        var scope = Pin.Scope.any
        if !scopes.contains(.any), let only = scopes.first {
            scope = scopes.contains(.leaf) ? .leaf : only
            if scope == .ca {
                guard let authority = evidence.chain.readable.dropFirst().first(where: \.isAuthority) else {
                    throw PolicyDraft.Refusal(
                        reason: "All pins of the host are for authorities, but no report contains one, "
                            + "so there is no draft.")
                }
                added = authority
            }
        }
        guard let digest = try? SPKIDigest(added.pin) else {
            throw PolicyDraft.Refusal(reason: "The key of the certificate cannot be pinned, so there is no draft.")
        }
        var pin = PolicyPin(Pin(digest, scope: scope))
        pin.comment = "seen in reports until \(evidence.now); compare with the operator of the server"
        document.domains[rule].pins.append(pin)
        document.domains[rule].hasPins = true
        let text = document.domains[rule].pattern?.description ?? document.domains[rule].text
        return "The rule for \(text) also accepts the key \(added.pin), that of \(added.subject)."
    }

    /// Moves the end of the pins for a host.
    mutating func extend(
        _ host: CanonicalHost, to end: Timestamp, after now: Timestamp
    ) throws(PolicyDraft.Refusal) -> String {
        let rule = try pinned(host)
        let text = document.domains[rule].pattern?.description ?? document.domains[rule].text
        guard let current = document.domains[rule].expires else {
            return "The newest known policy has no end for \(text), so the draft has no changes."
        }
        guard current <= now.advanced(bySeconds: IncidentDiagnosis.soon) else {
            return "The newest known policy ends at \(current) for \(text), so the draft has no changes."
        }
        document.domains[rule].expires = end
        return "The pins of \(text) end at \(end) instead of \(current)."
    }

    /// Returns the rule that pins a host.
    private func pinned(_ host: CanonicalHost) throws(PolicyDraft.Refusal) -> Int {
        let policy = KnownPolicy(name: "", document: document)
        guard let rule = policy.rule(for: host), !document.domains[rule].isExcluded, !policy.listed(rule).isEmpty else {
            throw PolicyDraft.Refusal(
                reason: "The newest known policy does not pin \(host), so it already ends the failures.")
        }
        return rule
    }

    private func listed(_ rule: Int) -> [PolicyPin] { KnownPolicy(name: "", document: document).listed(rule) }

    /// Returns the text, after the same checks as in an app.
    func text() throws(PolicyDraft.Refusal) -> String {
        let text = document.holdfastJSON
        do throws(PolicyError) {
            _ = try PinningPolicy(holdfastJSON: Array(text.utf8))
        } catch {
            throw PolicyDraft.Refusal(
                reason: "The changed policy would not be valid: \(error.problems.first?.reason ?? "unknown error")")
        }
        return text
    }
}
