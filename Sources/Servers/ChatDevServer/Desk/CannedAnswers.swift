import HoldfastSystem
import HoldfastTrust

/// The answers that operators at the desk can insert, read from a JSON file. docs/operator-desk.md describes the
/// format.
public struct CannedAnswers: Hashable, Sendable {
    /// The maximum size of the JSON file in bytes.
    ///
    /// - Error: `ChatScriptError`
    public static let maximumBytes = 1 << 20
    /// The maximum number of answers.
    ///
    /// - Error: `ChatScriptError`
    public static let maximumCount = 200
    /// The maximum number of files of an answer.
    ///
    /// - Error: `ChatScriptError`
    public static let maximumFiles = 5
    /// The maximum size of all files together in bytes.
    ///
    /// - Error: `ChatScriptError`
    public static let maximumFileBytes = 16 << 20

    let answers: [CannedAnswer]

    /// Reads answers and their files. Blocks the calling thread.
    ///
    /// Throws ``ChatScriptError`` with all problems and their positions.
    public init(file path: String) throws(ChatScriptError) {
        let bytes: [UInt8]
        do throws(RegularFile.Failure) {
            bytes = try RegularFile.read(path, limit: Self.maximumBytes)
        } catch {
            let code: ScriptProblem.Code = if case .tooLarge = error.kind { .tooMany } else { .json }
            throw ChatScriptError(
                problems: [ScriptProblem(code: code, reason: error.reason(at: path), path: "", line: 1, column: 1)])
        }
        let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
        try self.init(json: bytes, folder: folder)
    }

    /// Parses answers. The names of files are relative to a folder. Blocks the calling thread if there are files.
    ///
    /// Throws ``ChatScriptError`` with all problems and their positions.
    public init(json bytes: [UInt8], folder: String = "") throws(ChatScriptError) {
        var reader = ScriptReader()
        let answers = reader.cannedAnswers(bytes, folder: folder)
        guard reader.problems.isEmpty else { throw ChatScriptError(problems: reader.problems) }
        self.answers = answers
    }

    /// The number of answers.
    public var count: Int { answers.count }
}

/// An answer that operators can insert.
struct CannedAnswer: Hashable, Sendable {
    /// A file that is sent with the answer.
    struct File: Hashable, Sendable {
        var name: String
        var type: String
        var bytes: [UInt8]
    }

    var name: String
    var text: String
    var files: [File] = []
}

extension ScriptReader {
    /// Parses canned answers. As in a script, unknown keys are errors.
    mutating func cannedAnswers(_ bytes: [UInt8], folder: String) -> [CannedAnswer] {
        guard bytes.count <= CannedAnswers.maximumBytes else {
            problem(.tooMany, "the file has more than \(CannedAnswers.maximumBytes) bytes", "", .start)
            return []
        }
        guard let node = parse(bytes) else { return [] }
        var fields = object(node, "")
        if let version = self.node("holdfastCannedAnswers", &fields), version.value != .number("1") {
            problem(.version, "only version 1 is supported", "holdfastCannedAnswers", version.position)
        }
        var answers: [CannedAnswer] = []
        var space = CannedAnswers.maximumFileBytes
        if let list = self.node("answers", &fields) {
            for (index, node) in array(list, "answers", limit: CannedAnswers.maximumCount).enumerated() {
                if let answer = answer(node, "answers[\(index)]", folder, &space) { answers.append(answer) }
            }
        }
        finish(fields)
        return answers
    }

    private mutating func answer(
        _ node: JSONNode, _ path: String, _ folder: String, _ space: inout Int
    ) -> CannedAnswer? {
        var fields = object(node, path)
        let name = string("name", &fields, isRequired: true, limit: 200)
        let text = string("text", &fields, isRequired: true, limit: 16_000)
        if let text, text.count > 4_000 || !text.contains(where: { !$0.isWhitespace }) {
            problem(.invalidValue, "a text has 1 to 4000 characters", fields.path(of: "text"), node.position)
        }
        if let name, !name.contains(where: { !$0.isWhitespace }) {
            problem(.invalidValue, "a name is not empty", fields.path(of: "name"), node.position)
        }
        var files: [CannedAnswer.File] = []
        if let list = fields["files"] {
            let path = fields.path(of: "files")
            for (index, node) in array(list, path, limit: CannedAnswers.maximumFiles).enumerated() {
                if let file = file(node, "\(path)[\(index)]", folder, &space) { files.append(file) }
            }
        }
        finish(fields)
        guard let name, let text else { return nil }
        return CannedAnswer(name: name, text: text, files: files)
    }

    private mutating func file(
        _ node: JSONNode, _ path: String, _ folder: String, _ space: inout Int
    ) -> CannedAnswer.File? {
        guard case .string(let name) = node.value, !name.isEmpty else {
            return mistyped("the name of a file", node, path)
        }
        let place = name.hasPrefix("/") ? name : folder + name
        do throws(RegularFile.Failure) {
            let bytes = try RegularFile.read(place, limit: max(1, space))
            space -= bytes.count
            let short = place.split(separator: "/").last.map(String.init) ?? name
            return CannedAnswer.File(name: String(short.prefix(255)), type: Self.type(of: short), bytes: bytes)
        } catch {
            problem(.invalidValue, error.reason, path, node.position)
            return nil
        }
    }

    private static func type(of name: String) -> String {
        let types = [
            "png": "image/png", "jpg": "image/jpeg", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp",
            "pdf": "application/pdf", "txt": "text/plain", "ogg": "audio/ogg",
        ]
        return name.split(separator: ".").last.flatMap { types[$0.lowercased()] } ?? "application/octet-stream"
    }
}
