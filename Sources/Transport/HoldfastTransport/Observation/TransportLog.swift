import HoldfastBase
import HoldfastTrust
import Logging

/// Writes the log messages of this module. `docs/observability.md` lists all of them, and tests compare the list with
/// the written messages.
struct TransportLog: Sendable {
    /// A log message. Its text never changes; variable data is in the metadata.
    enum Line: String, Hashable, Sendable, CaseIterable {
        case cleartextAllowed = "cleartext connections to any host are allowed"
        case secretsWritten = "the secrets of all connections are written to a file"
        case dialling = "dialling"
        case connected = "connected"
        case notConnected = "not connected"
        case refused = "server refused"
        case cut = "connection ended by a changed policy"
        case closed = "closed"
        case reportDropped = "report dropped"
        case reportPostponed = "report postponed"
        case reportSent = "report sent"
        case bundleTaken = "bundle taken"
        case bundleRefused = "bundle refused"
        case bundleNotFetched = "bundle not fetched"
        case bundleNotKept = "bundle not kept"
        case bundleStale = "bundle is stale"
        case bundleHalted = "bundle halted"
        case policyFrozen = "policy is frozen"
        case statementRefused = "halt or timestamp refused"
        case statementNotFetched = "halt or timestamp not fetched"
        case reportsNotRemembered = "the state of reports was not written"

        var level: Logger.Level {
            switch self {
            case .cleartextAllowed, .secretsWritten, .refused, .cut, .reportDropped, .reportsNotRemembered,
                .bundleRefused, .bundleNotKept, .bundleStale, .bundleHalted, .policyFrozen, .statementRefused:
                .warning
            case .reportPostponed, .bundleTaken, .bundleNotFetched, .statementNotFetched: .info
            case .dialling, .connected, .notConnected, .closed, .reportSent: .debug
            }
        }
    }

    let logger: Logger

    /// Writes a message about the configuration, reports or bundles.
    func write(_ line: Line, _ metadata: [String: String] = [:]) {
        guard logger.logLevel <= line.level else { return }
        logger.log(
            level: line.level, "\(line.rawValue)",
            metadata: metadata.mapValues { .string(Printable.text($0)) })
    }

    /// Writes a message about a connection. `reason` describes a failure.
    func write(_ line: Line, _ id: TransportConnectionID, host: CanonicalHost, port: UInt16?, reason: String? = nil) {
        guard logger.logLevel <= line.level else { return }
        var metadata: Logger.Metadata = ["connection": "\(id)", "host": "\(host)"]
        if let port { metadata["port"] = "\(port)" }
        if let reason { metadata["reason"] = "\(reason)" }
        logger.log(level: line.level, "\(line.rawValue)", metadata: metadata)
    }
}
