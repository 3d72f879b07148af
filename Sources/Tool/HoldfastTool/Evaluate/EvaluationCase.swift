import HoldfastTrust

/// A test case: a chain, its trust anchors, the claimed host, and optionally a policy.
struct EvaluationCase: Hashable {
    /// The trust anchors.
    enum Anchors: Hashable {
        /// The machine's own roots.
        case system
        /// Only these certificates, as PEM.
        case only([String])
    }

    /// The host of a case whose host is not checked (RFC 6761, 6.4).
    static let unnamedHost = "unnamed.invalid"

    /// The identifier that the answer repeats.
    var id: String
    /// What the server presented, its own certificate first, as PEM.
    var chain: [String]
    /// The trust anchors; `nil` only if pinned keys replace them.
    var anchors: Anchors?
    /// The host.
    var host: String
    /// The time of the evaluation; `nil` for now.
    var time: Timestamp?
    /// The pins; `nil` for the system verification only.
    var policy: EvaluationPolicy?
    /// The text of a policy file, instead of `policy`.
    var policyFile: String?
    /// Several evaluators with the rule that combines them, instead of `policy`.
    var evaluators: EvaluatorList?
    /// Further inputs of the system verification.
    var inputs = EvaluationInputs()
}

extension EvaluationCase: Decodable {
    private enum Keys: String, CodingKey {
        case id, chain, anchors, host, time, policy, policyFile, evaluators
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: Keys.self)
        id = try fields.decode(String.self, forKey: .id)
        chain = try fields.decode([String].self, forKey: .chain)
        inputs = try EvaluationInputs(from: decoder)
        host =
            try inputs.checksHost
            ? fields.decode(String.self, forKey: .host)
            : fields.decodeIfPresent(String.self, forKey: .host) ?? EvaluationCase.unnamedHost
        time = try fields.time(.time, orThrow: "time is not ISO 8601, as in 2026-03-01T12:00:00Z")
        policy = try fields.decodeIfPresent(EvaluationPolicy.self, forKey: .policy)
        anchors = try fields.decodeIfPresent(Anchors.self, forKey: .anchors)
        policyFile = try fields.decodeIfPresent(String.self, forKey: .policyFile)
        evaluators = try fields.decodeIfPresent(EvaluatorList.self, forKey: .evaluators)
        // Pinned keys replace the anchors, but after they expire the system verification runs.
        let needsAnchors = evaluators?.usesSystemVerification ?? policy?.usesSystemVerification ?? true
        if anchors == nil && needsAnchors { throw CaseError("anchors is missing") }
        try refuseContradictions()
    }

    /// Throws for fields that would have no effect together. They are never ignored.
    private func refuseContradictions() throws(CaseError) {
        if policyFile != nil, policy != nil { throw CaseError("policyFile cannot be combined with policy") }
        if evaluators != nil, policyFile != nil || policy != nil {
            throw CaseError("evaluators cannot be combined with \(policy == nil ? "policyFile" : "policy")")
        }
        let isPinnedKeysOnly = policy?.mode == .pinnedKeysOnly || evaluators?.isPinnedKeysOnly == true
        if isPinnedKeysOnly, let name = inputs.names.first {
            throw CaseError("\(name) cannot be used in the mode pinnedKeysOnly")
        }
        if inputs.needsPlainVerification, inputs.checksOCSP {
            throw CaseError("ocspAnswer and requiresOCSPAnswer cannot be used with maximumIntermediates or checksHost")
        }
        if inputs.needsPlainVerification, policy != nil || policyFile != nil || evaluators != nil {
            let name = inputs.checksHost ? "maximumIntermediates" : "checksHost"
            throw CaseError("\(name) cannot be used with a policy")
        }
    }
}

extension KeyedDecodingContainer {
    /// Returns a time; `nil` if the field is absent.
    func time(_ key: Key, orThrow sentence: String) throws -> Timestamp? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let time = Timestamp(iso8601: text) else { throw CaseError(sentence) }
        return time
    }
}

extension EvaluationCase.Anchors: Decodable {
    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if let text = try? value.decode(String.self) {
            guard text == "system" else { throw CaseError("anchors must be a list or \"system\"") }
            self = .system
        } else {
            self = .only(try value.decode([String].self))
        }
    }
}

/// The only field that is read from an invalid case.
struct CaseName: Decodable {
    /// The identifier that the answer repeats.
    var id: String
}

/// Why a case cannot be evaluated: one sentence that names the field.
struct CaseError: Error, Hashable, CustomStringConvertible {
    /// The sentence.
    var sentence: String

    /// Creates an error.
    init(_ sentence: String) {
        self.sentence = sentence
    }

    var description: String { sentence }
}

extension CaseError {
    /// Describes a JSON decoder's error in one sentence.
    init(_ error: any Error) {
        switch error {
        case let error as CaseError:
            self = error
        case DecodingError.keyNotFound(let key, let context):
            self.init("\(CaseError.path(context.codingPath + [key])) is missing")
        case DecodingError.valueNotFound(_, let context):
            self.init("\(CaseError.path(context.codingPath)) is null")
        case DecodingError.typeMismatch(let type, let context):
            self.init("\(CaseError.path(context.codingPath)) is not \(CaseError.words(for: type))")
        case DecodingError.dataCorrupted(let context) where !context.codingPath.isEmpty:
            self.init("\(CaseError.path(context.codingPath)): \(context.debugDescription)")
        default:
            self.init("the line is not JSON")
        }
    }

    static func path(_ keys: [any CodingKey]) -> String {
        var text = ""
        for key in keys {
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + key.stringValue
            }
        }
        return text.isEmpty ? "the case" : text
    }

    private static func words(for type: any Any.Type) -> String {
        switch type {
        case is String.Type: "text"
        case is Bool.Type: "true or false"
        case is Int.Type: "an integer"
        case is [any Any].Type: "a list"
        default: String(describing: type).hasPrefix("Array") ? "a list" : "an object"
        }
    }
}
