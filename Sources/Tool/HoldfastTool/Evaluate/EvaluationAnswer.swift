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
