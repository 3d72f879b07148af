import Foundation
import HoldfastSystem
import HoldfastTrust

/// The answer to a case, or the reason why it cannot be evaluated.
enum EvaluationAnswer: Hashable {
    /// The case was evaluated.
    case verdict(id: String, EvaluationVerdict)
    /// The case is invalid. The id is `nil` if it could not be read either.
    case error(id: String?, String)

    /// One line of JSON with sorted keys.
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

/// A verdict, formatted for an answer.
struct EvaluationVerdict: Hashable, Encodable {
    /// `allow`, `block` or `notPinned`.
    var decision: String
    /// The finding's stable code.
    var finding: String
    /// The finding in words.
    var reason: String
    /// The code of the system verification's finding; `nil` if the mode does not run it.
    var system: String?
    /// The SPKI hashes along the verified path, the server's own first; empty without a path.
    var path: [String] = []
    /// The duration of the evaluation without parsing, in microseconds.
    var durationMicros: Int64 = 0

    private enum Keys: String, CodingKey {
        case decision, finding, reason, system, path, durationMicros
    }
}

extension EvaluationVerdict {
    /// Formats a verdict.
    init(_ verdict: TrustVerdict, took duration: Duration) {
        decision = verdict.decision.rawValue
        finding = verdict.finding.code.rawValue
        reason = verdict.finding.reason
        system = verdict.systemFinding?.code.rawValue
        path = verdict.path?.hashes.map(\.base64) ?? []
        durationMicros = duration.wholeMicroseconds
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
