#if canImport(FoundationEssentials)
import FoundationEssentials
#else
import Foundation
#endif

extension DemoReport: Encodable {
    private enum Keys: String, CodingKey {
        case passed, address, steps
    }

    /// One JSON object on several lines, its keys in alphabetical order.
    var json: String {
        get throws {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
            return String(decoding: try encoder.encode(self), as: UTF8.self)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(isAsItMustBe, forKey: .passed)
        try fields.encode(address, forKey: .address)
        try fields.encode(results, forKey: .steps)
    }
}

extension DemoResult: Encodable {
    private enum Keys: String, CodingKey {
        case number, chapter, name, mode, expected, observed, detail, lines, ok, milliseconds
    }

    func encode(to encoder: any Encoder) throws {
        var fields = encoder.container(keyedBy: Keys.self)
        try fields.encode(number, forKey: .number)
        try fields.encode(chapter, forKey: .chapter)
        try fields.encode(name, forKey: .name)
        try fields.encode(mode, forKey: .mode)
        try fields.encode(expectation.description, forKey: .expected)
        try fields.encode(observation.outcome.description, forKey: .observed)
        try fields.encode(observation.detail, forKey: .detail)
        try fields.encode(observation.lines, forKey: .lines)
        try fields.encode(isAsItMustBe, forKey: .ok)
        try fields.encode(milliseconds, forKey: .milliseconds)
    }
}
