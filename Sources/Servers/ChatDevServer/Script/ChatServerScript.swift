import ChatServerCore
import HoldfastSystem
import HoldfastTrust

/// A script for a ``ChatDevServer``: operators' actions, faults, and changes of settings and identity, each at its
/// time. Read from JSON; docs/chat-server.md describes the format, and docs/schema contains its schema.
public struct ChatServerScript: Hashable, Sendable {
    /// The maximum size of a script in bytes.
    public static let maximumBytes = 1 << 20
    /// The maximum number of steps.
    public static let maximumSteps = 1_000
    /// The maximum number of actions per step.
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
