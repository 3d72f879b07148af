import HoldfastTrust

/// Where the chat's policy comes from. Those that can change are told apart by their identity.
enum PolicySource: Hashable, Sendable {
    case fixed(PinningPolicy)
    /// The holder of the bundles is kept alive with its policies.
    case live(PolicyHolder, BundleHolder?)

    /// The policy in force now.
    var policy: PinningPolicy {
        switch self {
        case .fixed(let policy): policy
        case .live(let holder, _): holder.snapshot.policy
        }
    }

    /// What judges by it.
    func context(anchors: TrustAnchors) -> TrustContext {
        switch self {
        case .fixed(let policy): .policy(policy, anchors: anchors)
        case .live(let holder, _): .policies(holder, anchors: anchors)
        }
    }

    static func == (left: PolicySource, right: PolicySource) -> Bool {
        switch (left, right) {
        case (.fixed(let left), .fixed(let right)): left == right
        case (.live(let left, let bundles), .live(let right, let others)): left === right && bundles === others
        default: false
        }
    }

    func hash(into hasher: inout Hasher) {
        switch self {
        case .fixed(let policy): hasher.combine(policy)
        case .live(let holder, _): hasher.combine(ObjectIdentifier(holder))
        }
    }
}

/// A sink in a value that can be compared.
final class IdentifiedSink: Hashable, Sendable {
    let sink: any TrustEventSink

    init(_ sink: any TrustEventSink) {
        self.sink = sink
    }

    static func == (left: IdentifiedSink, right: IdentifiedSink) -> Bool { left === right }

    func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
