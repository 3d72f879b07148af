/// Events on their way to whoever is told of them, as a value. What waits is bounded: whoever is told may be slow, or may
/// have stopped reading.
///
/// The first refusal of a kind is told at once. Those of the same kind that come within a second of it are counted and told
/// together, so that a flood of bad requests costs its receiver a few lines a second.
struct EventBuffer: Sendable {
    /// When there is something to take next.
    enum Wake: Hashable, Sendable {
        /// Somebody has been asked to take it already, or there is nothing.
        case never
        case now
        /// After so many nanoseconds.
        case later(Int64)
    }

    private struct Kind: Hashable {
        var status: Int
        var code: String
    }

    /// The refusals of one kind since the last that was told.
    private struct Held {
        var since: Int64
        var count: Int
    }

    static let second: Int64 = 1_000_000_000

    private let limit: Int
    private var waiting: [ReportCollectorEvent] = []
    private var dropped = 0
    /// By kind; there are as many kinds as the collector has codes.
    private var held: [Kind: Held] = [:]
    private var isAwaited = false
    private var hasTimer = false

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes an event in, at a time in nanoseconds.
    mutating func add(_ event: ReportCollectorEvent, at now: Int64) -> Wake {
        if case .refused(let status, let code, let count) = event {
            let kind = Kind(status: status, code: code)
            if var earlier = held[kind], Self.age(earlier, at: now) < Self.second {
                earlier.count = Self.sum(earlier.count, count)
                held[kind] = earlier
                return timer(at: now)
            }
            // What is counted of the second before belongs to this one: it is told now.
            let before = held.updateValue(Held(since: now, count: 0), forKey: kind)?.count ?? 0
            return append(.refused(status: status, code: code, count: Self.sum(before, count)))
        }
        return append(event)
    }

    /// A timer that was asked for has fired.
    mutating func timerFired() -> Wake {
        hasTimer = false
        guard !isAwaited else { return .never }
        isAwaited = true
        return .now
    }

    /// All there is to tell, and when to look again. With `isLast`, also what is counted still.
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

    /// One timer for all kinds: when it fires too early for some, it is asked for again.
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
