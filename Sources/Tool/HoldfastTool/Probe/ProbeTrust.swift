import HoldfastTrust

/// What the client that a probe stands for would trust.
enum ProbeTrust: Sendable {
    /// The system verification alone.
    case system
    /// A policy.
    case policy(ProbePolicy)
    /// A policy that was made of pins on the command line.
    case pins(PinningPolicy)
    /// The certificates of a folder and nothing else, as the chat SDK does it.
    case certificates(ProbeShelf)

    /// The name of what judges.
    var name: String {
        switch self {
        case .system: "system"
        case .policy(let policy): policy.policy.name
        case .pins(let policy): policy.name
        case .certificates(let shelf): shelf.path
        }
    }

    /// What judges. It remembers nothing: each probe is judged anew.
    func context(anchors: TrustAnchors) -> TrustContext {
        let context: TrustContext =
            switch self {
            case .system: .system(anchors: anchors)
            case .policy(let policy): .policy(policy.policy, anchors: anchors)
            case .pins(let policy): .policy(policy, anchors: anchors)
            case .certificates(let shelf): .pinnedKeysOnly(shelf.pins)
            }
        return context.withoutVerdictCache()
    }

    /// The rules of a policy that count for a host, the expired ones included.
    func rules(for host: CanonicalHost, at now: Timestamp) -> [PinningRule] {
        let policy: PinningPolicy
        switch self {
        case .policy(let file): policy = file.policy
        case .pins(let made): policy = made
        case .system, .certificates: return []
        }
        return policy.explain(host, at: now).considered.filter(\.counts).map(\.rule)
    }

    /// The pins for a host.
    func pins(for host: CanonicalHost, at now: Timestamp) -> PinSet {
        switch self {
        case .system: PinSet([])
        case .policy, .pins: PinSet(rules(for: host, at: now).flatMap(\.pins.pins))
        case .certificates(let shelf): PinSet(shelf.pins.certificates.map { Pin($0.spkiDigest) })
        }
    }

    /// When the first of the rules for a host ends.
    func expires(for host: CanonicalHost, at now: Timestamp) -> Timestamp? {
        rules(for: host, at: now).compactMap(\.expires).min()
    }
}
