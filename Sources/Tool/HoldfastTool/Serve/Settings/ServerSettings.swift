import Configuration
import HoldfastBase

/// Adds the settings of the environment and of a file to the command line of `holdfast serve`. docs/server-settings.md
/// describes them.
///
/// Each setting becomes the option with its name, so that its value has the same checks and the same effect. An option
/// of the command line takes precedence over the environment, and the environment over the file.
struct ServerSettings {
    /// A command with settings, by its name.
    enum Server: String, Hashable, Sendable, CaseIterable {
        case chat
        case collector

        /// The beginning of the names of its environment variables.
        var prefix: String { "HOLDFAST_\(rawValue.uppercased())_" }

        /// The options whose values are secrets. They are neither read from the file nor from such a variable: a file
        /// with secrets has an option of its own.
        var secretOptions: Set<String> { self == .chat ? ["token"] : [] }

        /// The variables with this prefix that are not settings: they contain secrets.
        var otherVariables: Set<String> { self == .collector ? [ServeCollectorCommand.tokenVariable] : [] }
    }

    /// The option that names the file.
    static let fileOption = "config"

    /// The command line, with options for the settings.
    private(set) var arguments: [String]
    /// The options that were added, with their sources, in the order of the command line.
    private(set) var added: [(option: String, source: String)] = []
    /// The variables that have the server's prefix, but no effect.
    private(set) var unknownVariables: [String] = []

    /// Reads the environment, and the file if one is named. Blocks on the disk. Changes nothing if the arguments run
    /// another command or ask for help.
    ///
    /// - Throws: ``ToolError`` for an unusable file, an unknown setting in the file, or a value of another kind.
    init(_ arguments: [String], environment: [String: String]) throws {
        self.arguments = arguments
        guard arguments.count >= 2, arguments[0] == "serve", let server = Server(rawValue: arguments[1]),
            !arguments.contains(where: { ["--help", "-h"].contains($0) })
        else { return }
        let settings = try ServerSetting.all(of: server)
        let file = try Self.filePath(arguments, environment, server).map { try ServerSettingsFile(path: $0, settings) }
        // Swift Configuration has no list of the variables that it did not read.
        let known = server.otherVariables.union(settings.map { $0.variable(of: server) })
        unknownVariables = environment.keys.filter {
            $0.hasPrefix(server.prefix) && !known.contains($0) && $0 != Self.fileVariable(of: server)
        }.sorted()

        let reader = ConfigReader(providers: [
            EnvironmentVariablesProvider(environmentVariables: environment),
            InMemoryProvider(name: "file", values: file?.values(of: server) ?? [:]),
        ])
        var options: [String] = []
        for setting in settings where !Self.isGiven(setting.name, in: arguments) {
            let variable = setting.variable(of: server)
            let source: String
            if let text = environment[variable] {
                guard !text.isEmpty else {
                    throw ToolError("\(variable) is empty: unset it, or give a value", status: .usage)
                }
                source = variable
            } else if let place = file?.place(of: setting.name) {
                source = place
            } else {
                continue
            }
            let values = try Self.options(for: setting, reader.key(of: setting, of: server), source)
            options += values
            if !values.isEmpty { added.append(("--\(setting.name)", source)) }
        }
        self.arguments.insert(contentsOf: options, at: 2)
    }

    /// Says where the options come from that the command line does not contain; `nil` if there are none.
    var origin: String? {
        guard !added.isEmpty else { return nil }
        return "These options come from elsewhere: "
            + added.map { "\($0.option) (\(Printable.text($0.source)))" }.joined(separator: ", ")
    }

    // MARK: Values

    /// A value as the providers return it.
    private typealias Value = ConfigReader.SettingValue

    /// Returns the options for a value.
    private static func options(for setting: ServerSetting, _ value: Value?, _ source: String) throws -> [String] {
        switch value {
        case .texts(let texts):
            guard !texts.isEmpty, texts.allSatisfy({ !$0.isEmpty }) else {
                throw ToolError("\(Printable.text(source)): the list is empty, or has an empty element", status: .usage)
            }
            return texts.map { "--\(setting.name)=\($0)" }
        case .text(let text) where setting.kind == .flag:
            switch text {
            case "true": return ["--\(setting.name)"]
            case "false": return []
            default: throw ToolError("\(Printable.text(source)) must be true or false", status: .usage)
            }
        case .text(let text): return ["--\(setting.name)=\(text)"]
        case nil: throw ToolError("\(Printable.text(source)) cannot be read", status: .usage)
        }
    }

    // MARK: The command line

    /// Returns whether the command line contains the option.
    private static func isGiven(_ name: String, in arguments: [String]) -> Bool {
        arguments.contains { $0 == "--\(name)" || $0.hasPrefix("--\(name)=") }
    }

    private static func fileVariable(of server: Server) -> String { server.prefix + fileOption.uppercased() }

    /// Returns the path of the file that the last option names, or the environment; `nil` without a file.
    private static func filePath(
        _ arguments: [String], _ environment: [String: String], _ server: Server
    ) throws -> String? {
        let option = "--\(fileOption)"
        if let index = arguments.lastIndex(where: { $0 == option || $0.hasPrefix(option + "=") }) {
            guard arguments[index] == option else { return String(arguments[index].dropFirst(option.count + 1)) }
            // The argument parser describes a missing value.
            return index + 1 < arguments.count ? arguments[index + 1] : nil
        }
        let path = environment[fileVariable(of: server)]
        guard path?.isEmpty != true else {
            throw ToolError("\(fileVariable(of: server)) is empty: unset it, or give a path", status: .usage)
        }
        return path
    }
}

extension ConfigReader {
    /// The value of a setting.
    fileprivate enum SettingValue {
        case text(String)
        case texts([String])
    }

    /// Returns the value of a setting from the first provider that has one.
    fileprivate func key(of setting: ServerSetting, of server: ServerSettings.Server) -> SettingValue? {
        let key = ConfigKey(["holdfast", server.rawValue, setting.name])
        return switch setting.kind {
        case .list: stringArray(forKey: key).map { .texts($0) }
        case .text, .flag: string(forKey: key).map { .text($0) }
        }
    }
}
