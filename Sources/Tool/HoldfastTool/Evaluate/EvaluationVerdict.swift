import HoldfastTrust

/// A verdict in the words of an answer.
struct EvaluationVerdict: Hashable, Encodable {
    /// `allow`, `block` or `notPinned`.
    var decision: String
    /// The finding's stable code.
    var finding: String
    /// The finding in words.
    var reason: String
    /// The code of what the system verification found; `nil` where the mode does not run it.
    var system: String?
    /// The SPKI hashes along the verified path, the server's own first; empty where there is none.
    var path: [String]
    /// How long the evaluation took, parsing left out, in microseconds.
    var durationMicros: Int64

    private enum Keys: String, CodingKey {
        case decision, finding, reason, system, path, durationMicros
    }

    /// Puts a verdict into words.
    init(_ verdict: TrustVerdict, took duration: Duration) {
        decision = verdict.decision.rawValue
        finding = verdict.finding.code.rawValue
        reason = verdict.finding.reason
        system = verdict.systemFinding?.code.rawValue
        path = verdict.path?.hashes.map(\.base64) ?? []
        durationMicros = Int64(duration / .microseconds(1))
    }

    /// The answer where no evaluation took place.
    init(decision: TrustDecision, finding: TrustFinding.Code, reason: String, system: TrustFinding.Code?) {
        self.decision = decision.rawValue
        self.finding = finding.rawValue
        self.reason = reason
        self.system = system?.rawValue
        self.path = []
        self.durationMicros = 0
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(decision, forKey: .decision)
        try fields.encode(finding, forKey: .finding)
        try fields.encode(reason, forKey: .reason)
        try fields.encode(system, forKey: .system)
        try fields.encode(path, forKey: .path)
        try fields.encode(durationMicros, forKey: .durationMicros)
    }
}
