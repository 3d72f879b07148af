import Foundation

/// A SARIF log, as far as the tool writes it.
struct SARIFOutput: Decodable {
    struct Text: Decodable {
        var text: String
    }

    struct Rule: Decodable {
        var id: String
        var shortDescription: Text?
        var help: Text?
    }

    struct Driver: Decodable {
        var name: String
        var semanticVersion: String
        var rules: [Rule]
    }

    struct Tool: Decodable {
        var driver: Driver
    }

    struct Artifact: Decodable {
        var uri: String
        var uriBaseId: String?
    }

    struct Region: Decodable {
        var startLine: Int
        var startColumn: Int?
    }

    struct Physical: Decodable {
        var artifactLocation: Artifact
        var region: Region?
    }

    struct Logical: Decodable {
        var fullyQualifiedName: String
    }

    struct Location: Decodable {
        var physicalLocation: Physical?
        var logicalLocations: [Logical]?
    }

    struct Result: Decodable {
        var ruleId: String
        var ruleIndex: Int
        var level: String
        var message: Text
        var locations: [Location]?
        var partialFingerprints: [String: String]
    }

    struct Run: Decodable {
        var tool: Tool
        var columnKind: String
        var results: [Result]
    }

    var version: String
    var runs: [Run]

    static func read(_ text: String) throws -> SARIFOutput {
        try JSONDecoder().decode(SARIFOutput.self, from: Data(text.utf8))
    }

    /// The results of the only run.
    var results: [Result] { runs.flatMap(\.results) }
}
