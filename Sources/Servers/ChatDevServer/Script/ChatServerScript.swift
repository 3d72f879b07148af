import ChatServerCore
import HoldfastSystem
import HoldfastTrust

/// A script for a ``ChatDevServer``: operators' actions, faults, and changes of settings and identity, each at its
/// time. Read from JSON; <doc:Scripts> describes the format, and docs/schema contains its schema.
public struct ChatServerScript: Hashable, Sendable {
    /// The maximum size of a script in bytes.
    ///
    /// - Error: `ChatScriptError`
    public static let maximumBytes = 1 << 20
    /// The maximum number of steps.
    ///
    /// - Error: `ChatScriptError`
    public static let maximumSteps = 1_000
    /// The maximum number of actions per step.
    ///
    /// - Error: `ChatScriptError`
    public static let maximumActions = 100

    let script: ServerScript

    /// Parses a script. Unknown keys and values are errors. Throws ``ChatScriptError`` with all problems and their
    /// positions.
    public init(json bytes: [UInt8]) throws(ChatScriptError) {
        var reader = ScriptReader()
        let script = reader.script(bytes)
        guard reader.problems.isEmpty else { throw ChatScriptError(problems: reader.problems) }
        self.script = script
    }

    /// Reads a script from a file. Blocks the calling thread.
    public init(file path: String) throws(ChatScriptError) {
        let bytes: [UInt8]
        do throws(RegularFile.Failure) {
            bytes = try RegularFile.read(path, limit: Self.maximumBytes)
        } catch {
            let code: ScriptProblem.Code = if case .tooLarge = error.kind { .tooMany } else { .json }
            throw ChatScriptError(
                problems: [ScriptProblem(code: code, reason: error.reason(at: path), path: "", line: 1, column: 1)])
        }
        try self.init(json: bytes)
    }

    /// The number of steps.
    public var stepCount: Int { script.steps.count }
}

/// The problems of an invalid script.
///
/// - Remedy: Fix every listed problem; each has its line and column.
public struct ChatScriptError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The problems in the order of the file: at least one, at most 100.
    public var problems: [ScriptProblem]

    /// The first problem, and the number of further ones.
    public var description: String {
        let first = problems.first.map { "\($0)" } ?? "The script is invalid."
        return problems.count > 1 ? "\(first) (and \(problems.count - 1) more)" : first
    }
}

/// A problem in a script, with its position.
public struct ScriptProblem: Hashable, Sendable, CustomStringConvertible {
    /// The kind of problem. Stable, and safe as a metric label. New kinds may be added: compare with the constants, and
    /// handle unknown kinds.
    public struct Code: RawRepresentable, Hashable, Sendable, CustomStringConvertible {
        /// The stable name.
        public let rawValue: String
        /// Creates a code from its stable name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stable name.
        public var description: String { rawValue }

        /// The text is not valid JSON.
        public static let json = Code(rawValue: "json")
        /// The `holdfastScript` key is missing, or names an unsupported version.
        public static let version = Code(rawValue: "version")
        /// A key is unknown. A misspelled key would otherwise silently have no effect.
        public static let unknownKey = Code(rawValue: "unknownKey")
        /// A required key is missing.
        public static let missingKey = Code(rawValue: "missingKey")
        /// A value has the wrong type.
        public static let wrongType = Code(rawValue: "wrongType")
        /// A value is not one of the allowed values, or is outside its limits.
        public static let invalidValue = Code(rawValue: "invalidValue")
        /// The script exceeds the limit for steps, actions or bytes.
        public static let tooMany = Code(rawValue: "tooMany")
    }

    /// The kind of problem.
    public var code: Code
    /// A description in one sentence, without the position.
    public var reason: String
    /// The path in the document, such as `steps[2].do[0].text`; empty for the document itself.
    public var path: String
    /// The line in the file, counted from 1.
    public var line: Int
    /// The column in bytes, counted from 1.
    public var column: Int

    /// The position, the path and the reason.
    public var description: String {
        "\(line):\(column): \(path.isEmpty ? "" : path + ": ")\(reason)"
    }
}
