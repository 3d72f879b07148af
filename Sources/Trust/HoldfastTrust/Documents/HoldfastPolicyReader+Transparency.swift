import HoldfastBase

extension HoldfastPolicyReader {
    private static let transparencyKeys: Set<String> = [
        "policy", "timestamps", "timestampsOver180Days", "operators", "requiresRFC6962Log", "enforcement",
        "localAnchors", "comment",
    ]

    /// Reads the required certificate timestamps: the name of a policy, or an object.
    mutating func transparency(_ node: JSONNode, _ path: String) -> TransparencyRequirement? {
        if case .string(let text) = node.value {
            return transparencyPolicy(text, path, node).map { TransparencyRequirement($0) }
        }
        let fields = fields(of: node, path: path, allowed: HoldfastPolicyReader.transparencyKeys)
        guard case .object = node.value else { return nil }
        let counted = ["timestamps", "timestampsOver180Days", "operators", "requiresRFC6962Log"]
        let policy: TransparencyRequirement.Policy?
        if let name = fields["policy"] {
            policy = string(name, path + ".policy").flatMap { transparencyPolicy($0, path + ".policy", name) }
            if let key = counted.first(where: { fields[$0] != nil }), let value = fields[key] {
                error(.unknownKey, "counts are not allowed beside the name of a policy", "\(path).\(key)", value)
            }
        } else {
            policy = transparencyCounts(fields, path, node).map { .custom($0) }
        }
        let enforcement: PinningRule.Enforcement =
            fields["enforcement"].flatMap { choice($0, path + ".enforcement") } ?? .enforce
        let local: TransparencyRequirement.LocalAnchors =
            fields["localAnchors"].flatMap { choice($0, path + ".localAnchors") } ?? .required
        return policy.map { TransparencyRequirement($0, enforcement: enforcement, localAnchors: local) }
    }

    private mutating func transparencyPolicy(
        _ text: String, _ path: String, _ node: JSONNode
    ) -> TransparencyRequirement.Policy? {
        switch text {
        case "chrome": return .chrome
        case "apple": return .apple
        default:
            error(
                .unknownValue, "\"\(Printable.text(text))\" is not valid, expected \"chrome\" or \"apple\"", path, node)
            return nil
        }
    }

    private mutating func transparencyCounts(
        _ fields: [String: JSONNode], _ path: String, _ node: JSONNode
    ) -> TransparencyCounts? {
        let short = transparencyCount(fields["timestamps"], path + ".timestamps", node)
        let long = transparencyCount(fields["timestampsOver180Days"], path + ".timestampsOver180Days", node)
        let operators = transparencyCount(fields["operators"], path + ".operators", node)
        let needsRFC6962 = fields["requiresRFC6962Log"].flatMap { bool($0, path + ".requiresRFC6962Log") } ?? false
        guard let short, let long, let operators else { return nil }
        return TransparencyCounts(
            timestamps: short, timestampsOver180Days: long, operators: operators, requiresRFC6962Log: needsRFC6962)
    }

    private mutating func transparencyCount(_ value: JSONNode?, _ path: String, _ parent: JSONNode) -> Int? {
        if case .number(let digits) = value?.value, let count = Int(digits),
            (1...EmbeddedTimestamps.maximumCount).contains(count)
        {
            return count
        }
        error(
            .unknownValue, "expected a number from 1 to \(EmbeddedTimestamps.maximumCount)", path, value ?? parent)
        return nil
    }
}

extension TransparencyRequirement {
    /// The requirement in Holdfast's own format.
    var json: JSONNode.Value {
        let name: String? =
            switch policy {
            case .chrome: "chrome"
            case .apple: "apple"
            case .custom: nil
            }
        if let name, enforcement == .enforce, localAnchors == .required { return .string(name) }
        let own = name == nil
        return .fields([
            ("policy", name.map { .string($0) }),
            ("timestamps", own ? .number("\(counts.timestamps)") : nil),
            ("timestampsOver180Days", own ? .number("\(counts.timestampsOver180Days)") : nil),
            ("operators", own ? .number("\(counts.operators)") : nil),
            ("requiresRFC6962Log", own && counts.requiresRFC6962Log ? .bool(true) : nil),
            ("enforcement", enforcement == .enforce ? nil : .string(enforcement.rawValue)),
            ("localAnchors", localAnchors == .required ? nil : .string(localAnchors.rawValue)),
        ])
    }
}
