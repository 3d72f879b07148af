import HoldfastTrust

#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

/// The answer to a case, or the reason why there is none.
enum EvaluationAnswer: Hashable {
    /// The case was evaluated.
    case verdict(id: String, EvaluationVerdict)
    /// The case could not be read. The id is `nil` where it could not be read either.
    case error(id: String?, String)

    /// One line of JSON, its keys in alphabetical order.
    var json: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        guard let data = try? encoder.encode(self) else { return #"{"error":"the answer is not text","id":null}"# }
        return String(decoding: data, as: UTF8.self)
    }
}

extension EvaluationAnswer: Encodable {
    private enum Keys: String, CodingKey {
        case id, error
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        switch self {
        case .verdict(let id, let verdict):
            try fields.encode(id, forKey: .id)
            try verdict.encode(to: encoder)
        case .error(let id, let sentence):
            try fields.encode(id, forKey: .id)
            try fields.encode(sentence, forKey: .error)
        }
    }
}

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
