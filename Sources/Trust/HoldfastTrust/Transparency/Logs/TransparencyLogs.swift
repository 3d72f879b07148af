import Synchronization

/// A list of logs with the rule for its age.
public struct TransparencyLogs: Hashable, Sendable {
    /// What happens to connections that require transparency when the list is too old.
    public enum WhenOutdated: String, Hashable, Sendable, CaseIterable {
        /// The connection is refused with `logListOutdated`. The default: otherwise an attacker who withholds updates
        /// could switch the check off without notice.
        case refuse
        /// The timestamps are not checked, and every verdict has the notice `logListOutdated`. Chrome does this, so
        /// that an old release does not lock its users out when logs change. Use it for a list that only a release of
        /// the app can replace.
        case passWithNotice
    }

    /// The default age limit in seconds: 70 days, as in Chrome ("CT Enforcement Timeout",
    /// https://googlechrome.github.io/CertificateTransparency/ct_policy.html, read on 28 November 2026).
    ///
    /// - Error: `TrustFinding.Code.logListOutdated`
    public static let defaultMaximumAge: Int64 = 70 * 86_400

    /// The list.
    public let list: TransparencyLogList
    /// The age in seconds, counted from ``TransparencyLogList/issued``, after which the list is outdated.
    ///
    /// - Error: `TrustFinding.Code.logListOutdated`
    public let maximumAge: Int64
    /// What happens when the list is outdated.
    public let whenOutdated: WhenOutdated

    /// Creates logs from a list. A negative age limit counts as 0.
    public init(
        _ list: TransparencyLogList, maximumAge: Int64 = TransparencyLogs.defaultMaximumAge,
        whenOutdated: WhenOutdated = .refuse
    ) {
        self.list = list
        self.maximumAge = max(0, maximumAge)
        self.whenOutdated = whenOutdated
    }

    /// The last second at which the list is not outdated.
    public var usableUntil: Timestamp { list.issued.advanced(bySeconds: maximumAge) }

    /// The number of seconds by which the issuer's clock may be ahead: one day.
    private static let clockSkew: Int64 = 86_400

    /// Returns whether the list is older than the age limit, or from more than a day in the future. A list from the
    /// future would otherwise be usable for longer than the age limit.
    public func isOutdated(at time: Timestamp) -> Bool {
        time > usableUntil || list.issued > time.advanced(bySeconds: TransparencyLogs.clockSkew)
    }
}

/// Stores the logs in force for a ``TrustContext``, so that a running app can replace its list.
///
/// A replacement discards the cached verdicts of contexts that use the holder. It does not evaluate open connections
/// again: a new list concerns new connections. Can be used from any thread.
public final class TransparencyLogHolder: Sendable {
    private struct Storage {
        var logs: TransparencyLogs?
        var revision: UInt64 = 0
    }

    private let storage: Mutex<Storage>

    /// Creates a holder. Without logs, every connection that requires transparency is refused with `logListMissing`.
    public init(_ logs: TransparencyLogs? = nil) {
        storage = Mutex(Storage(logs: logs))
    }

    /// The logs in force.
    public var logs: TransparencyLogs? { storage.withLock { $0.logs } }

    /// The number of replacements. A cached verdict is valid only for the revision with which it was made.
    var revision: UInt64 { storage.withLock { $0.revision } }

    /// Replaces the logs in force, unless the new list was issued before the current one. Returns whether the logs were
    /// replaced.
    ///
    /// An older list could contain logs that were distrusted since. The caller decides whether the list is authentic:
    /// see ``SignedLogList``.
    @discardableResult
    public func replace(with logs: TransparencyLogs) -> Bool {
        storage.withLock { storage in
            if let current = storage.logs, logs.list.issued < current.list.issued { return false }
            guard logs != storage.logs else { return true }
            storage.logs = logs
            storage.revision &+= 1
            return true
        }
    }
}
