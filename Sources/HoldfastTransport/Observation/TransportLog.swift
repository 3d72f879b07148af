import HoldfastTrust
import Logging

/// Writes the lines of this module's log. There are no others: `docs/observability.md` lists them, and tests hold the list
/// against what is written.
struct TransportLog: Sendable {
    /// A line, by its message, which never changes: what varies is in the metadata.
    enum Line: String, Hashable, Sendable, CaseIterable {
        case cleartextAllowed = "cleartext connections to any host are allowed"
        case secretsWritten = "the secrets of all connections are written to a file"
        case dialling = "dialling"
        case connected = "connected"
        case notConnected = "not connected"
        case refused = "server refused"
        case cut = "connection ended by a changed policy"
        case closed = "closed"

        var level: Logger.Level {
            switch self {
            case .cleartextAllowed, .secretsWritten, .refused, .cut: .warning
            case .dialling, .connected, .notConnected, .closed: .debug
            }
        }
    }

    private let logger: Logger

    init(_ logger: Logger) {
        self.logger = logger
    }

    /// About the configuration.
    func write(_ line: Line) {
        logger.log(level: line.level, "\(line.rawValue)")
    }

    /// About a connection. `reason` says what went wrong.
    func write(_ line: Line, _ id: ConnectionID, host: CanonicalHost, port: UInt16?, reason: String? = nil) {
        guard logger.logLevel <= line.level else { return }
        var metadata: Logger.Metadata = ["connection": "\(id)", "host": "\(host)"]
        if let port { metadata["port"] = "\(port)" }
        if let reason { metadata["reason"] = "\(reason)" }
        logger.log(level: line.level, "\(line.rawValue)", metadata: metadata)
    }
}
