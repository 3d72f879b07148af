/// Decides which reports to send.
///
/// The ledger drops repeated reports within a day, limits the reports per hour, and in a large fleet samples a share of
/// them. It is a value type: the caller passes in time and randomness. Its state is available as bytes, so that it
/// survives a restart.
public struct ReportLedger: Hashable, Sendable {
    /// The limits of a ledger.
    public struct Limits: Hashable, Sendable {
        /// The number of seconds during which the same report is not sent again. The default is a day, as in TrustKit.
        ///
        /// - Error: `ReportEvent.duplicate`
        public var window: Int64 = 86_400
        /// The maximum number of reports per hour. 0 sends none.
        ///
        /// Half of them are reserved for the first report about the host of each rule within the hour. An attacker who
        /// causes failures for one host therefore does not suppress the reports about other hosts.
        ///
        /// - Error: `ReportEvent.rateLimited`
        public var reportsPerHour = 60
        /// The maximum number of reports per hour about the hosts of one rule. The default is 10; 0 sends none.
        ///
        /// - Error: `ReportEvent.rateLimited`
        public var reportsPerHourAndHost = 10
        /// The maximum number of remembered reports, at least one. When the limit is reached, the ledger forgets the
        /// oldest report of the rule host that has the most reports.
        public var remembered = 1_000
        /// The share of reports to send, in millionths.
        ///
        /// The decision is made once per report and window. A repeated failure is not sampled again, so that a large
        /// fleet sends the configured share.
        ///
        /// - Error: `ReportEvent.sampledOut`
        public var sampledMillionths = 1_000_000

        /// Creates the default limits.
        public init() {}
    }

    /// The decision about a report.
    public enum Admission: Hashable, Sendable {
        case send
        /// The same report was sent, or was not selected by sampling, within the window.
        case duplicate
        /// The limit for the hour was reached, in total or for the host of this rule.
        case rateLimited
        /// The report was not selected by sampling.
        case sampledOut
    }

    /// A remembered decision.
    package struct Entry: Hashable, Sendable {
        package var subject: ReportSubject
        /// The time of the decision, in seconds since 1970.
        package var time: Int64
        /// Whether the report was selected by sampling.
        package var wasSent: Bool

        package init(subject: ReportSubject, time: Int64, wasSent: Bool) {
            self.subject = subject
            self.time = time
            self.wasSent = wasSent
        }
    }

    /// The limits.
    public let limits: Limits
    /// The decisions, oldest first.
    package private(set) var decided: [Entry] = []

    /// Creates a ledger without remembered reports.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Creates a ledger with remembered decisions, oldest first.
    package init(limits: Limits, decided: [Entry]) {
        self.limits = limits
        self.decided = decided
    }

    /// Decides whether to send a report, and remembers the decision unless the report was rate-limited.
    ///
    /// `entropy` is a fresh random number. If the clock went back, decisions in the future count as made now. The
    /// limits then stay in force, but for at most one window.
    public mutating func admit(_ report: PinFailureReport, at time: Timestamp, entropy: UInt64) -> Admission {
        admit(ReportSubject(report), at: time, entropy: entropy)
    }

    /// Decides whether to send a report about a subject, and remembers the decision in the same way.
    package mutating func admit(_ subject: ReportSubject, at time: Timestamp, entropy: UInt64) -> Admission {
        let now = ReportLedger.clamped(time.secondsSince1970)
        for index in decided.indices where decided[index].time > now { decided[index].time = now }
        decided.removeAll { now - $0.time >= max(limits.window, 3_600) }
        if decided.contains(where: { $0.subject.key == subject.key && now - $0.time < limits.window }) {
            return .duplicate
        }
        guard hasRoom(for: subject.host, at: now) else { return .rateLimited }
        let isDrawn = entropy % 1_000_000 < UInt64(clamping: limits.sampledMillionths)
        decided.append(Entry(subject: subject, time: now, wasSent: isDrawn))
        forgetSurplus()
        return isDrawn ? .send : .sampledOut
    }

    /// Returns whether the limits of the hour allow another report about the host of a rule.
    private func hasRoom(for host: UInt64, at now: Int64) -> Bool {
        let sent = decided.filter { $0.wasSent && now - $0.time < 3_600 }
        guard sent.count < limits.reportsPerHour else { return false }
        let own = sent.count { $0.subject.host == host }
        guard own < limits.reportsPerHourAndHost else { return false }
        let repeated = sent.count - Set(sent.map(\.subject.host)).count
        return own == 0 || repeated < limits.reportsPerHour / 2
    }

    private mutating func forgetSurplus() {
        while decided.count > max(1, limits.remembered) {
            let counts = decided.reduce(into: [UInt64: Int]()) { $0[$1.subject.host, default: 0] += 1 }
            let most = counts.values.max()
            decided.remove(at: decided.firstIndex { counts[$0.subject.host] == most } ?? 0)
        }
    }

    /// Limits a number of seconds from a file, so that the difference of two values cannot overflow.
    private static func clamped(_ seconds: Int64) -> Int64 {
        min(max(seconds, -(1 << 40)), 1 << 40)
    }

    // MARK: - State

    private static let header: [UInt8] = Array("HFRL2\n".utf8)
    /// A key of 32 bytes, a host of 8 bytes, a time of 8 bytes, and one byte that tells whether the report was sent.
    private static let entrySize = 49

    /// The remembered decisions as bytes, to store across a restart.
    public var state: [UInt8] {
        decided.reduce(into: ReportLedger.header) { bytes, entry in
            bytes += entry.subject.key.bytes
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: entry.subject.host >> (56 - 8 * $0)) }
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: entry.time >> (56 - 8 * $0)) }
            bytes.append(entry.wasSent ? 1 : 0)
        }
    }

    /// Creates a ledger from stored bytes.
    ///
    /// Keeps the last ``Limits-swift.struct/remembered`` entries. Ignores bytes that are not a valid state: the ledger
    /// then starts empty.
    public init(limits: Limits = Limits(), state: [UInt8]) {
        self.init(limits: limits)
        let size = ReportLedger.entrySize
        let body = state.dropFirst(ReportLedger.header.count)
        guard state.starts(with: ReportLedger.header), body.count % size == 0 else { return }
        let count = min(body.count / size, max(1, limits.remembered))
        for start in stride(from: body.endIndex - count * size, to: body.endIndex, by: size) {
            guard let key = SHA256Hash(bytes: body[start..<start + 32]) else { continue }
            let host = body[start + 32..<start + 40].reduce(0) { $0 << 8 | UInt64($1) }
            let time = body[start + 40..<start + 48].reduce(0) { $0 << 8 | Int64($1) }
            decided.append(
                Entry(
                    subject: ReportSubject(key: key, host: host), time: ReportLedger.clamped(time),
                    wasSent: body[start + 48] != 0))
        }
    }
}

/// What equal reports have in common. Reports with the same subject are not repeated within the ledger's window.
package struct ReportSubject: Hashable, Sendable {
    /// Identifies equal reports: the digest of the hosts, the port, the chain, the pins and the result.
    package var key: SHA256Hash
    /// Identifies the host of the rule: the first eight bytes of its digest. The number of different values is limited
    /// by the number of rules, regardless of the host names that a peer invents.
    package var host: UInt64

    package init(key: SHA256Hash, host: UInt64) {
        self.key = key
        self.host = host
    }

    /// Creates the subject of a report.
    package init(_ report: PinFailureReport) {
        var parts = [
            report.pinning.notedHost.text, report.host([]), "\(report.verdict.subject?.port ?? 0)",
            "\(report.result.rawValue)",
        ]
        parts += report.validatedChain.map(\.certificateDigest.base64) + ["/"] + report.knownPins
        key = SHA256Hash(hashing: parts.joined(separator: "\n").utf8)
        host = SHA256Hash(hashing: report.pinning.notedHost.text.utf8).bytes.prefix(8)
            .reduce(0) { $0 << 8 | UInt64($1) }
    }
}
