import HoldfastBase

/// A setting of a server: a long option of its command.
struct ServerSetting: Hashable, Sendable {
    /// How the value is written.
    enum Kind: Hashable, Sendable {
        /// Text or a number.
        case text
        /// `true` or `false`: an option without a value.
        case flag
        /// Several texts: an option that can be repeated.
        case list
    }

    /// The name in a file, and of the option without its dashes: `keep-days`.
    let name: String
    let kind: Kind

    /// The environment variable, such as `HOLDFAST_COLLECTOR_KEEP_DAYS`.
    func variable(of server: ServerSettings.Server) -> String {
        server.prefix + String(name.uppercased().map { $0 == "-" ? "_" : $0 })
    }

    /// Returns the settings of a server, in the order of the command's help.
    ///
    /// An option is a setting unless it names the file, or its value is a secret.
    static func all(of server: ServerSettings.Server) throws -> [ServerSetting] {
        let serve = try CommandDescription.tool().subcommands?.first { $0.commandName == "serve" }
        let command = serve?.subcommands?.first { $0.commandName == server.rawValue }
        return (command?.shownArguments ?? []).compactMap { argument in
            guard let name = argument.names?.first(where: { $0.kind == "long" })?.name,
                name != ServerSettings.fileOption, !server.secretOptions.contains(name)
            else { return nil }
            return ServerSetting(
                name: name, kind: argument.isRepeating ? .list : argument.value == nil ? .flag : .text)
        }
    }
}
