import Configuration
import HoldfastBase
import HoldfastTrust

/// A JSON file with settings of a server: an object with the names of options.
struct ServerSettingsFile {
    /// The maximum size of the file in bytes.
    ///
    /// - Error: exit code 2
    static let maximumBytes = 1 << 20
    /// The maximum number of elements of a list.
    ///
    /// - Error: exit code 64
    static let maximumElements = 1_000

    private let path: String
    private var contents: [String: (content: ConfigContent, position: SourcePosition)] = [:]

    /// Reads a file. Blocks on the disk.
    ///
    /// - Throws: ``ToolError`` with the position of the first mistake: invalid JSON, an unknown or repeated name, or a
    ///   value of another kind. The message contains no value.
    init(path: String, _ settings: [ServerSetting]) throws {
        self.path = path
        let root: JSONNode
        let bytes = try InputFile(path: path).readAll(limit: Self.maximumBytes)
        do throws(JSONFault) {
            root = try JSONReader.read(bytes)
        } catch {
            throw Self.mistake(path, error.position, error.reason)
        }
        guard case .object(let members) = root.value else {
            throw Self.mistake(path, root.position, "the settings must be an object")
        }
        for member in members {
            guard let setting = settings.first(where: { $0.name == member.key }) else {
                throw Self.mistake(path, member.position, "there is no setting \"\(Printable.text(member.key))\"")
            }
            guard let content = Self.content(of: member.value, setting.kind) else {
                throw Self.mistake(
                    path, member.value.position,
                    "\"\(setting.name)\" must be \(setting.kind.words), and is \(member.value.kind)")
            }
            contents[setting.name] = (content, member.position)
        }
    }

    /// Returns where the file has a setting, as in `collector.json:2:5`; `nil` if it does not have it.
    func place(of name: String) -> String? {
        contents[name].map { "\(path):\($0.position.line):\($0.position.column)" }
    }

    /// Returns the values with the keys that a server reads.
    func values(of server: ServerSettings.Server) -> [AbsoluteConfigKey: ConfigValue] {
        var values: [AbsoluteConfigKey: ConfigValue] = [:]
        for (name, entry) in contents {
            values[AbsoluteConfigKey(["holdfast", server.rawValue, name])] = ConfigValue(
                entry.content, isSecret: false)
        }
        return values
    }

    private static func content(of node: JSONNode, _ kind: ServerSetting.Kind) -> ConfigContent? {
        switch (kind, node.value) {
        case (.text, .string(let text)) where !text.isEmpty: return .string(text)
        case (.text, .number(let text)): return .string(text)
        case (.flag, .bool(let isOn)): return .string(isOn ? "true" : "false")
        case (.list, .array(let nodes)) where nodes.count <= maximumElements:
            let texts = nodes.compactMap { if case .string(let text) = $0.value { text } else { nil } }
            return texts.count == nodes.count ? .stringArray(texts) : nil
        default: return nil
        }
    }

    private static func mistake(_ path: String, _ position: SourcePosition, _ reason: String) -> ToolError {
        ToolError("\(Printable.text(path)):\(position.line):\(position.column): \(reason)", status: .usage)
    }
}

extension ServerSetting.Kind {
    /// The kind in words, for messages.
    fileprivate var words: String {
        switch self {
        case .text: "a text that is not empty, or a number"
        case .flag: "true or false"
        case .list: "a list of at most \(ServerSettingsFile.maximumElements) texts"
        }
    }
}
