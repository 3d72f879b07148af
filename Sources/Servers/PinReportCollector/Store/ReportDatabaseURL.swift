/// The URL of a PostgreSQL database. No description contains its password.
package enum ReportDatabaseURL {
    private static let schemes = ["postgresql://", "postgres://"]

    /// Returns whether a database is a URL and not a path.
    package static func isURL(_ text: String) -> Bool {
        let text = text.lowercased()
        return schemes.contains { text.hasPrefix($0) }
    }

    /// Returns whether a URL contains a password, which every process on the machine could read in an argument.
    package static func hasPassword(_ text: String) -> Bool {
        let (authority, query) = parts(text)
        let user = authority.split(separator: "@", maxSplits: 1, omittingEmptySubsequences: false)
        if user.count == 2, user[0].contains(":") { return true }
        return query.split(separator: "&").contains { $0.lowercased().hasPrefix("password=") }
    }

    /// Returns the URL for people and logs: without the user, the password and the parameters. A URL with another form
    /// is left out, because any part of it may belong to an unescaped password.
    package static func description(_ text: String) -> String {
        let (authority, _) = parts(text)
        let place = authority.split(separator: "@", omittingEmptySubsequences: false)
        let pattern = #/(?:[A-Za-z0-9._\-]*|\[[0-9a-fA-F:.]+\])(?::[0-9]{1,5})?(?:/[A-Za-z0-9_.\-]*)?/#
        guard place.count <= 2, let last = place.last, text.filter({ $0 == "@" }).count == place.count - 1,
            last.wholeMatch(of: pattern) != nil
        else { return "postgresql://…" }
        return "postgresql://\(last)"
    }

    /// Returns the part between the scheme and the query, and the query.
    private static func parts(_ text: String) -> (authority: Substring, query: Substring) {
        var rest = Substring(text)
        if let scheme = schemes.first(where: { text.lowercased().hasPrefix($0) }) {
            rest = rest.dropFirst(scheme.count)
        }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        return (parts.first ?? "", parts.count == 2 ? parts[1] : "")
    }

    /// Throws if a collector cannot use the URL in this build.
    static func check(_ text: String, path: String?) throws(ReportCollectorError) {
        guard path == nil else {
            throw ReportCollectorError(
                .invalidConfiguration, "databasePath and databaseURL are two databases: set only one.")
        }
        guard isURL(text) else {
            throw ReportCollectorError(.invalidConfiguration, "databaseURL must begin with postgresql://.")
        }
        #if !PostgreSQL
        throw unsupported
        #endif
    }

    /// The error of a build without PostgreSQL.
    static var unsupported: ReportCollectorError {
        ReportCollectorError(
            .unsupportedDatabase,
            "This build does not support PostgreSQL: build with the package trait PostgreSQL, or use a SQLite file.")
    }
}
