package import HoldfastTrust

/// A policy that the desk knows, from a bundle or a policy file. The desk uses it to explain incidents and to draft a
/// new policy. It does not verify signatures: apps do that.
package struct KnownPolicy: Hashable, Sendable {
    /// The name of its file.
    package var name: String
    /// The application that accepts the bundle; `nil` for a policy file.
    package var application: String?
    /// The bundle's version; `nil` for a policy file.
    package var version: Int64?
    /// The end of the bundle's validity; `nil` for a policy file.
    package var notAfter: Timestamp?
    /// The stages of the bundle's roll-out; empty if all installations switch at once.
    package var stages: [RolloutView.Stage] = []
    /// The policy.
    package var document: PolicyDocument

    /// Creates a known policy.
    package init(
        name: String, application: String? = nil, version: Int64? = nil, notAfter: Timestamp? = nil,
        document: PolicyDocument
    ) {
        self.name = name
        self.application = application
        self.version = version
        self.notAfter = notAfter
        self.document = document
    }

    /// Reads a signed bundle or a policy file in Holdfast's format. Returns `nil` for anything else, and for a policy
    /// with errors.
    package init?(name: String, contents: [UInt8]) {
        var document = contents
        var application: String?
        var version: Int64?
        var notAfter: Timestamp?
        var rollout: JSONNode.Value?
        if let payload = Self.payload(contents) {
            guard case .string(let policy) = payload["policy"], case .number(let digits) = payload["version"],
                case .string(let app) = payload["application"], let number = Int64(digits)
            else { return nil }
            document = Array(policy.utf8)
            (application, version, rollout) = (app, number, payload["rollout"])
            if case .string(let text) = payload["notAfter"] { notAfter = Timestamp(iso8601: text) }
        }
        let read = PolicyDocument(holdfastJSON: document)
        guard (try? read.policy()) != nil else { return nil }
        self.init(name: name, application: application, version: version, notAfter: notAfter, document: read)
        stages = rollout.map(RolloutView.Stage.stages) ?? []
    }

    /// The members of a bundle's payload; `nil` if the contents are not a bundle.
    private static func payload(_ contents: [UInt8]) -> [String: JSONNode.Value]? {
        guard let envelope = members(contents), envelope["holdfastBundle"] != nil,
            case .string(let text) = envelope["payload"], let bytes = [UInt8](base64: text)
        else { return nil }
        return members(bytes)
    }

    private static func members(_ bytes: [UInt8]) -> [String: JSONNode.Value]? {
        guard bytes.count <= SignedBundle.maximumSize, case .object(let members) = try? JSONReader.read(bytes).value
        else { return nil }
        return Dictionary(members.map { ($0.key, $0.value.value) }) { first, _ in first }
    }

    /// The name for people, such as `shop.bundle, version 12`.
    package var title: String { version.map { "\(name), version \($0)" } ?? name }

    /// The rule for a host, by its position among the rules: the most specific rule that covers the host.
    package func rule(for host: CanonicalHost) -> Int? {
        let covering = document.domains.indices.filter { document.domains[$0].pattern?.covers(host) == true }
        return covering.max { left, right in
            guard let left = document.domains[left].pattern, let right = document.domains[right].pattern else {
                return false
            }
            let lengths = (left.host.text.utf8.count, right.host.text.utf8.count)
            return lengths.0 == lengths.1 ? left.depth.reach > right.depth.reach : lengths.0 < lengths.1
        }
    }

    /// The pins of keys that the rule for a host lists, such as `sha256/…`. Empty if the host is not pinned.
    package func pins(for host: CanonicalHost) -> [String] {
        guard let rule = rule(for: host), !document.domains[rule].isExcluded else { return [] }
        return listed(rule).compactMap { $0.pin?.spkiDigest?.description }
    }

    /// All pins of a rule, also those of its set.
    func listed(_ rule: Int) -> [PolicyPin] {
        let domain = document.domains[rule]
        let set = domain.pinSetName.flatMap { name in document.pinSets.first { $0.name == name } }
        return domain.pins + (set?.pins ?? [])
    }
}

/// The policies that a desk knows.
package struct PolicyCatalog: Hashable, Sendable {
    /// The maximum number of policies.
    ///
    /// - Error: `ReportCollectorError.Code.invalidConfiguration`
    package static let limit = 1_000

    /// The policies, the highest version first. Policy files without a version are last.
    package let policies: [KnownPolicy]

    /// Creates a catalog of at most ``limit`` policies.
    package init(_ policies: [KnownPolicy] = []) {
        let sorted = policies.sorted { ($0.version ?? 0, $1.name) > ($1.version ?? 0, $0.name) }
        self.policies = Array(sorted.prefix(Self.limit))
    }

    /// The policies that an application can use: its own bundles, and policy files.
    package func policies(for application: String) -> [KnownPolicy] {
        policies.filter { $0.application == nil || $0.application == application }
    }

    /// The policies of an application whose rule for a host lists a pin.
    package func policies(listing pin: String, for host: CanonicalHost, application: String) -> [KnownPolicy] {
        policies(for: application).filter { $0.pins(for: host).contains(pin) }
    }
}
