import Crypto

/// Decides which reports are worth sending: not the same one twice a day, not too many an hour, and in a large fleet
/// only a share of them. A value: time and randomness are handed in, and its state survives a restart as bytes.
public struct ReportLedger: Hashable, Sendable {
    /// The limits.
    public struct Limits: Hashable, Sendable {
        /// For so many seconds the same report is not sent again. TrustKit's window is a day.
        public var window: Int64 = 86_400
        /// So many reports an hour at most, whatever they say.
        public var reportsPerHour = 60
        /// So many reports are remembered; the oldest are forgotten first.
        public var remembered = 1_000
        /// The share of reports that are sent, in millionths. Which ones is drawn anew for each.
        public var sampledMillionths = 1_000_000

        /// The standard limits.
        public init() {}
    }

    /// What becomes of a report.
    public enum Admission: Hashable, Sendable {
        case send
        /// The same report was sent within the window.
        case duplicate
        /// There were enough reports within the hour.
        case rateLimited
        /// It was not drawn.
        case sampledOut
    }

    private struct Entry: Hashable {
        var key: SPKIDigest
        var time: Int64
    }

    /// The limits.
    public let limits: Limits
    /// What was sent, oldest first.
    private var sent: [Entry] = []

    /// Starts with an empty memory.
    public init(limits: Limits = Limits()) {
        self.limits = limits
    }

    /// Decides about a report and remembers it if it is to be sent.
    ///
    /// `entropy` is a fresh random number. A clock that went back makes what lies in the future count as just sent, so
    /// that it cannot open the gate.
    public mutating func admit(_ report: PinFailureReport, at time: Timestamp, entropy: UInt64) -> Admission {
        let now = ReportLedger.clamped(time.secondsSince1970)
        sent.removeAll { $0.time <= now && now - $0.time >= max(limits.window, 3_600) }
        let key = ReportLedger.key(of: report)
        if sent.contains(where: { $0.key == key && ($0.time > now || now - $0.time < limits.window) }) {
            return .duplicate
        }
        guard sent.count(where: { $0.time > now || now - $0.time < 3_600 }) < limits.reportsPerHour else {
            return .rateLimited
        }
        guard entropy % 1_000_000 < UInt64(clamping: limits.sampledMillionths) else { return .sampledOut }
        sent.append(Entry(key: key, time: now))
        if sent.count > limits.remembered { sent.removeFirst(sent.count - limits.remembered) }
        return .send
    }

    /// What makes two reports the same: the hosts, the port, the chain, the pins and the result.
    private static func key(of report: PinFailureReport) -> SPKIDigest {
        var parts = [
            report.pinning.notedHost.text, report.host([]), "\(report.verdict.subject?.port ?? 0)",
            "\(report.result.rawValue)",
        ]
        parts += report.validatedChain.map(\.certificateDigest.base64) + ["/"] + report.knownPins
        return SPKIDigest(hashing: parts.joined(separator: "\n").utf8)
    }

    /// Seconds that can be subtracted from each other without overflow, whatever a file says.
    private static func clamped(_ seconds: Int64) -> Int64 {
        min(max(seconds, -(1 << 40)), 1 << 40)
    }

    // MARK: - State

    private static let header: [UInt8] = Array("HFRL1\n".utf8)

    /// The memory as bytes, to be kept over a restart.
    public var state: [UInt8] {
        sent.reduce(into: ReportLedger.header) { bytes, entry in
            bytes += entry.key.bytes
            bytes += (0..<8).map { UInt8(truncatingIfNeeded: entry.time >> (56 - 8 * $0)) }
        }
    }

    /// Takes up a memory that was kept. Bytes that are none are ignored: then everything counts as not yet sent.
    public init(limits: Limits = Limits(), state: [UInt8]) {
        self.init(limits: limits)
        let body = state.dropFirst(ReportLedger.header.count)
        guard state.starts(with: ReportLedger.header), body.count % 40 == 0 else { return }
        for start in stride(from: body.startIndex, to: body.endIndex, by: 40) {
            guard let key = SPKIDigest(bytes: body[start..<start + 32]) else { continue }
            let time = body[start + 32..<start + 40].reduce(0) { $0 << 8 | Int64($1) }
            sent.append(Entry(key: key, time: ReportLedger.clamped(time)))
        }
        if sent.count > limits.remembered { sent.removeFirst(sent.count - limits.remembered) }
    }
}
