import HoldfastTrust

extension EvaluationCase: Decodable {
    private enum Keys: String, CodingKey {
        case id, chain, anchors, host, time, policy
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        id = try fields.decode(String.self, forKey: .id)
        chain = try fields.decode([String].self, forKey: .chain)
        host = try fields.decode(String.self, forKey: .host)
        time = try fields.decodeIfPresent(String.self, forKey: .time).map { text in
            guard let time = Timestamp(iso8601: text) else {
                throw CaseError("time is not ISO 8601, as in 2026-03-01T12:00:00Z")
            }
            return time
        }
        policy = try fields.decodeIfPresent(EvaluationPolicy.self, forKey: .policy)
        anchors = try fields.decodeIfPresent(Anchors.self, forKey: .anchors)
        // Pinned keys take the place of anchors, but once they expire the system verification is asked.
        let needsAnchors = policy?.mode != .pinnedKeysOnly || policy?.expires != nil
        if anchors == nil && needsAnchors { throw CaseError("anchors is missing") }
    }
}

extension EvaluationCase.Anchors: Decodable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            guard text == "system" else { throw CaseError("anchors is neither a list nor \"system\"") }
            self = .system
        } else {
            self = .only(try value.decode([String].self))
        }
    }
}
