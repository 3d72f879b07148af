#if PostgreSQL

import CLibPQ
import HoldfastSystem

/// The checked connection parameters of a database. No description contains the password.
package struct PostgreSQLAddress: Sendable, CustomStringConvertible, CustomReflectable {
    /// The keywords of libpq with their values. Several hosts are in one value, separated by commas.
    let parameters: [(keyword: String, value: String)]
    /// The parameters of each host. `PQconnectPoll` ignores `connect_timeout`, so that libpq would spend the whole time
    /// on the first host that does not respond: the client tries each host by itself.
    let hosts: [[(keyword: String, value: String)]]
    /// The `connect_timeout` of the URL: the time limit for each host; `nil` without one.
    let connectTime: Duration?
    /// Whether the server must use TLS.
    let requiresTLS: Bool
    /// The password of the URL, to remove it from messages.
    private let password: String?

    /// Reads a URL of libpq, as in `postgresql://user@host/database`.
    ///
    /// Over TCP, the server's certificate and name are verified, and channel binding is required, so that a proxy that
    /// terminates TLS cannot use the password. Unix sockets need neither.
    ///
    /// - Parameters:
    ///   - url: The URL. It must name a host, or the folder of a Unix socket in the parameter `host`.
    ///   - dangerouslyAllowsUnverifiedServer: Accepts a weaker `sslmode` or `channel_binding` of the URL.
    ///   - environment: Returns the value of an environment variable.
    /// - Throws: ``PostgreSQLError/Code/invalidURL``. The reason contains nothing of the URL.
    package init(
        url: String, dangerouslyAllowsUnverifiedServer: Bool = false,
        environment: (String) -> String? = PostgreSQLAddress.variable
    ) throws(PostgreSQLError) {
        var options = try Self.options(of: url)
        // These would replace parameters after they were checked.
        guard options["service"] == nil, environment("PGSERVICE") == nil, environment("PGHOSTADDR") == nil else {
            throw Self.invalid(
                "A service, PGSERVICE and PGHOSTADDR are not supported: write all parameters into the URL.")
        }
        guard let host = options["host"] else {
            throw Self.invalid(
                "The URL must contain a host, or the folder of a Unix socket: postgresql:///database?host=/folder.")
        }
        // libpq repeats an invalid port in its message. In a URL with an unescaped password, it is part of it.
        let ports = (options["port"] ?? "").split(separator: ",")
        guard ports.allSatisfy({ UInt16($0).map { $0 > 0 } ?? false }) else {
            throw Self.invalid("The port is not a number from 1 to 65535.")
        }
        let hosts = host.split(separator: ",", omittingEmptySubsequences: false)
        let sockets = hosts.filter { $0.hasPrefix("/") || $0.hasPrefix("@") }
        guard sockets.isEmpty || (sockets.count == hosts.count && options["hostaddr"] == nil) else {
            throw Self.invalid("The URL mixes Unix sockets and network addresses: use one kind.")
        }
        requiresTLS = sockets.isEmpty && !dangerouslyAllowsUnverifiedServer
        if requiresTLS {
            for (keyword, value) in [("sslmode", "verify-full"), ("channel_binding", "require")] {
                guard options[keyword] ?? value == value else {
                    throw Self.invalid(
                        "\(keyword) must be \(value): anything weaker needs the option that allows an unverified "
                            + "server.")
                }
                options[keyword] = value
            }
        }
        // With encryption by GSSAPI, libpq would ignore the settings for TLS.
        options["gssencmode"] = "disable"
        options["client_encoding"] = "UTF8"
        let defaults = [
            ("ssl_min_protocol_version", "TLSv1.2"), ("application_name", "holdfast"),
            ("target_session_attrs", "read-write"), ("tcp_user_timeout", "15000"),
        ]
        for (keyword, value) in defaults where options[keyword] == nil { options[keyword] = value }
        password = options["password"]
        parameters = options.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        self.hosts = try Self.hosts(of: options)
        // For libpq, zero and negative numbers mean no limit.
        connectTime = options["connect_timeout"].flatMap { Int64($0) }.flatMap { $0 > 0 ? .seconds($0) : nil }
    }

    /// The maximum number of hosts. Each one takes a share of the time of a call.
    ///
    /// - Error: `PostgreSQLError.Code.invalidURL`
    static let hostLimit = 8

    /// Returns the parameters of each host. As in libpq, one port applies to all hosts.
    private static func hosts(of options: [String: String]) throws(PostgreSQLError) -> [[(String, String)]] {
        func list(_ keyword: String) -> [String]? {
            options[keyword]?.split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        }
        let lists = (host: list("host"), address: list("hostaddr"), port: list("port"))
        let count = max(lists.host?.count ?? 0, lists.address?.count ?? 0)
        guard count <= hostLimit else { throw invalid("The URL has more than \(hostLimit) hosts.") }
        guard lists.address.map({ $0.count == count }) ?? true, lists.host.map({ $0.count == count }) ?? true,
            lists.port.map({ $0.count == 1 || $0.count == count }) ?? true
        else {
            throw invalid("The URL must have one port for all hosts, or as many ports and addresses as hosts.")
        }
        return (0..<count).map { index in
            var own = options
            for (keyword, values) in [("host", lists.host), ("hostaddr", lists.address), ("port", lists.port)] {
                guard let values else { continue }
                let value = values.count == 1 ? values[0] : values[index]
                own[keyword] = value.isEmpty ? nil : value
            }
            return own.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
        }
    }

    /// Returns the value of an environment variable of the process; `nil` if it is not set.
    package static func variable(_ name: String) -> String? {
        getenv(name).map { String(cString: $0) }
    }

    /// Returns the given parameters of a URL.
    private static func options(of url: String) throws(PostgreSQLError) -> [String: String] {
        guard url.hasPrefix("postgresql://") || url.hasPrefix("postgres://"), !url.utf8.contains(0) else {
            throw invalid("The URL must begin with postgresql://.")
        }
        // libpq's own message may repeat a part of the URL.
        guard let parsed = PQconninfoParse(url, nil) else {
            throw invalid("The URL cannot be read: special characters must be percent-encoded.")
        }
        defer { PQconninfoFree(parsed) }
        var options: [String: String] = [:]
        var place = parsed
        while let keyword = place.pointee.keyword {
            if let value = place.pointee.val, value[0] != 0 {
                options[String(cString: keyword)] = String(cString: value)
            }
            place += 1
        }
        return options
    }

    private static func invalid(_ reason: String) -> PostgreSQLError { PostgreSQLError(.invalidURL, reason) }

    /// Returns a message of libpq on one line, without the password.
    func cleaned(_ message: String) -> String {
        let line = message.split(whereSeparator: \.isNewline).joined(separator: " ")
        guard let password, !password.isEmpty else { return line }
        return line.split(separator: password, omittingEmptySubsequences: false).joined(separator: "…")
    }

    /// A fixed text.
    package var description: String { "<PostgreSQL address>" }
    /// A mirror without children, so that a dump does not contain the password.
    package var customMirror: Mirror { Mirror(self, children: []) }
}

#endif
