import Crypto

/// Decides which reports are worth sending: not the same one twice a day, not too many an hour, and in a large fleet
/// only a share of them. A value: time and randomness are handed in, and its state survives a restart as bytes.
public struct ReportLedger: Hashable, Sendable {
    /// The limits.
    public struct Limits: Hashable, Sendable {
        /// For so many seconds the same report is not sent again. TrustKit's window is a day.
        public var window: Int64 = 86_400
        /// So many reports an hour at most, whatever they say. 0 sends none. Half of them are reserved for the first report of a
        /// rule's host within the hour: whoever fails one host again and again does not silence the others.
        public var reportsPerHour = 60
        /// So many reports an hour at most about the hosts of one rule. 10 by default; 0 sends none.
        public var reportsPerHourAndHost = 10
        /// So many reports are remembered, and at least one. Of the rule's host that has most of them the oldest is forgotten first.
        public var remembered = 1_000
        /// The share of reports that are sent, in millionths. A report is drawn once in a window: a failure that repeats
        /// does not get another chance with each repetition, so that a large fleet sends the share that was asked for.
        public var sampledMillionths = 1_000_000

        /// The standard limits.
        public init() {}
    }

    /// What becomes of a report.
    public enum Admission: Hashable, Sendable {
        case send
        /// The same report was sent, or not drawn, within the window.
        case duplicate
        /// There were enough reports within the hour, in all or about this rule's host.
        case rateLimited
        /// It was not drawn.
        case sampledOut
    }

    private struct Entry: Hashable {
        var key: SHA256Hash
        /// Stands for the rule's host. There are as many of these as the policy has rules, whatever hosts a peer makes up.
        var host: UInt64
        var time: Int64
        var wasSent: Bool
    }

    /// The limits.
    public let limits: Limits
    /// What was decided, oldest first.
    private var decided: [Entry] = []

    /// Starts with an empty memory.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Decides about a report, and remembers it unless it was rate-limited.
    ///
    /// `entropy` is a fresh random number. A clock that went back makes what lies in the future count as decided just now:
    /// that does not open the gate, and it does not close it for longer than a window.
    public mutating func admit(_ report: PinFailureReport, at time: Timestamp, entropy: UInt64) -> Admission {
        let now = ReportLedger.clamped(time.secondsSince1970)
        for index in decided.indices where decided[index].time > now { decided[index].time = now }
        decided.removeAll { now - $0.time >= max(limits.window, 3_600) }
        let key = ReportLedger.key(of: report)
        if decided.contains(where: { $0.key == key && now - $0.time < limits.window }) { return .duplicate }
        let host = ReportLedger.hostKey(of: report)
        guard hasRoom(for: host, at: now) else { return .rateLimited }
        let isDrawn = entropy % 1_000_000 < UInt64(clamping: limits.sampledMillionths)
        decided.append(Entry(key: key, host: host, time: now, wasSent: isDrawn))
        forgetSurplus()
        return isDrawn ? .send : .sampledOut
    }

    /// Whether the hour has room for one more report about the hosts of a rule.
    private func hasRoom(for host: UInt64, at now: Int64) -> Bool {
        let sent = decided.filter { $0.wasSent && now - $0.time < 3_600 }
        guard sent.count < limits.reportsPerHour else { return false }
        let own = sent.count { $0.host == host }
        guard own < limits.reportsPerHourAndHost else { return false }
        let repeated = sent.count - Set(sent.map(\.host)).count
        return own == 0 || repeated < limits.reportsPerHour / 2
    }

    private mutating func forgetSurplus() {
        while decided.count > max(1, limits.remembered) {
            let counts = decided.reduce(into: [UInt64: Int]()) { $0[$1.host, default: 0] += 1 }
            let most = counts.values.max()
            decided.remove(at: decided.firstIndex { counts[$0.host] == most } ?? 0)
        }
    }

    /// The first eight bytes of a digest of the rule's host.
    private static func hostKey(of report: PinFailureReport) -> UInt64 {
        SHA256Hash(hashing: report.pinning.notedHost.text.utf8).bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    /// What makes two reports the same: the hosts, the port, the chain, the pins and the result.
    private static func key(of report: PinFailureReport) -> SHA256Hash {
        var parts = [
            report.pinning.notedHost.text, report.host([]), "\(report.verdict.subject?.port ?? 0)",
            "\(report.result.rawValue)",
        ]
        parts += report.validatedChain.map(\.certificateDigest.base64) + ["/"] + report.knownPins
        return SHA256Hash(hashing: parts.joined(separator: "\n").utf8)
    }

    /// Seconds that can be subtracted from each other without overflow, whatever a file says.
    private static func clamped(_ seconds: Int64) -> Int64 {
        min(max(seconds, -(1 << 40)), 1 << 40)
    }

    // MARK: - State

    private static let header: [UInt8] = Array("HFRL2\n".utf8)
    /// A key of 32 bytes, a host of 8, a time of 8, and whether it was sent.
    private static let entrySize = 49

    /// The memory as bytes, to be kept over a restart.
    public var state: [UInt8] {
        decided.reduce(into: ReportLedger.header) { bytes, entry in
            bytes += entry.key.bytes
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: entry.host >> (56 - 8 * $0)) }
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: entry.time >> (56 - 8 * $0)) }
            bytes.append(entry.wasSent ? 1 : 0)
        }
    }

    /// Takes up a memory that was kept: of more than ``Limits-swift.struct/remembered`` entries the last ones. Bytes that
    /// are none are ignored: then everything counts as not yet sent.
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
                Entry(key: key, host: host, time: ReportLedger.clamped(time), wasSent: body[start + 48] != 0))
        }
    }
}
