import PinReports

/// Decides under overload which reports keep their bodies, as a value. Counts do not need bodies, so they stay exact.
///
/// The share of reports with a body falls with the number of waiting reports, and with the rate of reports above a
/// configured rate. The first reports of each incident keep their bodies, because a person needs evidence.
struct OverloadControl: Sendable {
    /// The decision for one report.
    struct Decision: Hashable, Sendable {
        var keepsBody: Bool
        /// The share of reports that should contain all certificates, in hundredths; 100 without overload.
        var share: Int
    }

    /// The number of bodies that each incident keeps in each period.
    private static let bodiesPerIncident = 20
    /// The length of a period in nanoseconds.
    private static let period: Int64 = 600_000_000_000
    private static let second: Int64 = 1_000_000_000
    /// The maximum number of incidents whose bodies are counted. Reports of further incidents do not count as the first
    /// ones of their incident.
    private static let incidentLimit = 4_096

    private let queueLimit: Int
    private let rateLimit: Int
    private var secondStart = Int64.min
    private var arrivals = 0
    /// The number of arrivals in the second before the current one.
    private var earlierArrivals = 0
    private var periodStart = Int64.min
    private var bodies: [IncidentKey: Int] = [:]

    /// Creates a control.
    ///
    /// - Parameters:
    ///   - queueLimit: The number of waiting reports at which reports are refused. Sampling begins at a quarter.
    ///   - rateLimit: The number of reports per second above which bodies are sampled; 0 for no limit.
    init(queueLimit: Int, rateLimit: Int) {
        self.queueLimit = max(1, queueLimit)
        self.rateLimit = max(0, rateLimit)
    }

    /// Counts a report and decides whether it keeps its body.
    ///
    /// - Parameters:
    ///   - key: The report's incident.
    ///   - digest: The digest of the report, which decides between reports of an incident. A repetition gets the same
    ///     decision.
    ///   - queued: The number of waiting reports.
    ///   - now: A time in nanoseconds.
    mutating func admit(_ key: IncidentKey, digest: [UInt8], queued: Int, at now: Int64) -> Decision {
        count(at: now)
        let share = share(queued: queued)
        let isFirst = countBody(key, at: now)
        let draw = digest.prefix(4).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return Decision(keepsBody: isFirst || draw * 100 < UInt64(share) << 32, share: share)
    }

    /// Returns the share of reports that should contain all certificates, in hundredths.
    func share(queued: Int) -> Int {
        let start = queueLimit / 4
        let excess = Double(max(0, queued - start)) / Double(max(1, queueLimit - start))
        let byQueue = 100 - Int(100 * min(1, excess))
        let rate = max(arrivals, earlierArrivals)
        let byRate = rateLimit == 0 || rate <= rateLimit ? 100 : 100 * rateLimit / rate
        return min(max(min(byQueue, byRate), 1), 100)
    }

    private mutating func count(at now: Int64) {
        let (age, overflow) = now.subtractingReportingOverflow(secondStart)
        if overflow || age >= Self.second {
            earlierArrivals = overflow || age >= 2 * Self.second ? 0 : arrivals
            arrivals = 0
            secondStart = now
        }
        arrivals += 1
    }

    /// Returns whether the report is one of the first of its incident in this period.
    private mutating func countBody(_ key: IncidentKey, at now: Int64) -> Bool {
        let (age, overflow) = now.subtractingReportingOverflow(periodStart)
        if overflow || age >= Self.period {
            bodies = [:]
            periodStart = now
        }
        let count = bodies[key, default: 0]
        guard count < Self.bodiesPerIncident, count > 0 || bodies.count < Self.incidentLimit else { return false }
        bodies[key] = count + 1
        return true
    }
}

/// Waiting times for `Retry-After`, spread so that clients that were refused together do not return together.
enum RetryJitter {
    /// Returns a wait of at least `seconds` and at most half as much more. `entropy` is a fresh random number.
    static func wait(_ seconds: Int64, entropy: UInt64) -> Int64 {
        guard seconds > 0 else { return 0 }
        let (sum, overflow) = seconds.addingReportingOverflow(Int64(entropy % (UInt64(seconds) / 2 + 1)))
        return overflow ? .max : sum
    }
}
