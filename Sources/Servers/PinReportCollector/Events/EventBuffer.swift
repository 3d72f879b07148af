/// Buffers events for a receiver, as a value. The buffer is bounded, because the receiver may be slow or may have
/// stopped.
///
/// The first refusal of a kind is delivered at once. Refusals of the same kind within the next second are counted and
/// delivered together, so that a flood of bad requests produces only a few events per second.
struct EventBuffer: Sendable {
    /// When the next event can be taken.
    enum Wake: Hashable, Sendable {
        /// A wake-up is already scheduled, or there are no events.
        case never
        case now
        /// After this number of nanoseconds.
        case later(Int64)
    }

    private struct Kind: Hashable {
        var status: Int
        var code: String
    }

    /// The refusals of one kind since the last one that was delivered.
    private struct Held {
        var since: Int64
        var count: Int
    }

    static let second: Int64 = 1_000_000_000

    private let limit: Int
    private var waiting: [ReportCollectorEvent] = []
    private var dropped = 0
    /// By kind; the collector has a fixed number of codes.
    private var held: [Kind: Held] = [:]
    private var isAwaited = false
    private var hasTimer = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds an event, at a time in nanoseconds.
    mutating func add(_ event: ReportCollectorEvent, at now: Int64) -> Wake {
        if case .refused(let status, let code, let count) = event {
            let kind = Kind(status: status, code: code)
            if var earlier = held[kind], Self.age(earlier, at: now) < Self.second {
                earlier.count = Self.sum(earlier.count, count)
                held[kind] = earlier
                return timer(at: now)
            }
            // Deliver the count of the previous second now, with this event.
            let before = held.updateValue(Held(since: now, count: 0), forKey: kind)?.count ?? 0
            return append(.refused(status: status, code: code, count: Self.sum(before, count)))
        }
        return append(event)
    }

    /// Reports that a requested timer has fired.
    mutating func timerFired() -> Wake {
        hasTimer = false
        guard !isAwaited else { return .never }
        isAwaited = true
        return .now
    }

    /// Takes all events, and returns when to continue. With `isLast`, takes the counted refusals, too.
    mutating func take(at now: Int64, isLast: Bool = false) -> (events: [ReportCollectorEvent], wake: Wake) {
        isAwaited = false
        for (kind, earlier) in held.sorted(by: { $0.key.code < $1.key.code })
        where isLast || Self.age(earlier, at: now) >= Self.second {
            if earlier.count > 0 {
                waiting.append(.refused(status: kind.status, code: kind.code, count: earlier.count))
                held[kind] = Held(since: now, count: 0)
            } else {
                held[kind] = nil
            }
        }
        if dropped > 0 { waiting.append(.dropped(dropped)) }
        dropped = 0
        let events = waiting
        waiting = []
        return (events, isLast || held.values.allSatisfy { $0.count == 0 } ? .never : timer(at: now))
    }

    private mutating func append(_ event: ReportCollectorEvent) -> Wake {
        if waiting.count < limit { waiting.append(event) } else { dropped = Self.sum(dropped, 1) }
        guard !isAwaited else { return .never }
        isAwaited = true
        return .now
    }

    /// Uses one timer for all kinds. If it fires too early for some, it is scheduled again.
    private mutating func timer(at now: Int64) -> Wake {
        guard !hasTimer else { return .never }
        hasTimer = true
        let oldest = held.values.filter { $0.count > 0 }.map { Self.age($0, at: now) }.max() ?? 0
        return .later(max(Self.second / 100, Self.second - oldest))
    }

    private static func age(_ held: Held, at now: Int64) -> Int64 {
        let (age, overflow) = now.subtractingReportingOverflow(held.since)
        return overflow ? .max : max(0, age)
    }

    private static func sum(_ a: Int, _ b: Int) -> Int {
        let (sum, overflow) = a.addingReportingOverflow(b)
        return overflow ? .max : sum
    }
}
