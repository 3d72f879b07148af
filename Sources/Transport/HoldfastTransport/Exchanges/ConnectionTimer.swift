import HTTPTypes
import HoldfastNIO
import NIOCore

/// The deadlines of one connection, and the single timer for all of them.
///
/// Progress changes only a property. When the timer fires and no deadline has passed, it is set again.
struct ConnectionTimer {
    /// The maximum idle time between exchanges.
    var keepAlive: Duration = .zero
    /// Whether the exchange waits for the caller and not for the server.
    var isPaused = false

    private static let keepAliveField = HTTPField.Name("Keep-Alive")

    private var idleTimeout = TimeAmount.zero
    private var idleAt = NIODeadline.distantFuture
    private var totalAt = NIODeadline.distantFuture
    private var parkedUntil = NIODeadline.distantFuture
    private var armedFor = NIODeadline.distantFuture
    private var callback: NIOScheduledCallback?

    /// The deadline that has passed.
    enum Due: Hashable, Sendable {
        case idle, total, keepAlive
    }

    /// Starts the deadlines of an exchange.
    mutating func begin(_ exchange: Exchange, at now: NIODeadline) {
        idleTimeout = TimeAmount(clamping: exchange.options.idleTimeout)
        idleAt = now + idleTimeout
        totalAt = exchange.deadline ?? .distantFuture
        parkedUntil = .distantFuture
        isPaused = false
    }

    /// Starts the idle time between exchanges.
    mutating func park(at now: NIODeadline) {
        idleAt = .distantFuture
        totalAt = .distantFuture
        parkedUntil = now + TimeAmount(clamping: keepAlive)
    }

    /// Ends the idle time, because the pool assigned the connection to an exchange that has not arrived yet.
    mutating func lent() {
        parkedUntil = .distantFuture
    }

    /// Records progress.
    mutating func progressed(at now: NIODeadline) {
        idleAt = now + idleTimeout
    }

    /// Applies `Keep-Alive: timeout=n`. The connection is closed one second before the server's timeout, because a
    /// request that meets the server's close may not be repeatable.
    mutating func limitKeepAlive(_ fields: HTTPFields) {
        guard let name = Self.keepAliveField else { return }
        for parameter in fields.tokens(of: name) {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0] == "timeout", let seconds = UInt32(pair[1]) else { continue }
            keepAlive = min(keepAlive, .seconds(max(0, Int64(seconds) - 1)))
        }
    }

    /// Returns the deadline that has passed at `now`, if any.
    func due(at now: NIODeadline) -> Due? {
        if totalAt <= now { return .total }
        if idleAt <= now, !isPaused { return .idle }
        return parkedUntil <= now ? .keepAlive : nil
    }

    /// The time of the next deadline, if there is no progress.
    var next: NIODeadline { min(idleAt, totalAt, parkedUntil) }

    /// Sets the timer unless it is already set for an earlier time.
    mutating func arm(_ handler: some NIOScheduledCallbackHandler, on context: ChannelHandlerContext, firing: Bool) {
        if firing {
            callback = nil
            armedFor = .distantFuture
            if isPaused { progressed(at: context.eventLoop.now) }
        }
        let next = next
        guard next < armedFor else { return }
        callback?.cancel()
        armedFor = next
        // Throws only if the event loop is shutting down. The timer is not needed then.
        callback = try? context.eventLoop.assumeIsolated().scheduleCallback(at: next, handler: handler)
    }

    /// Cancels the timer and all deadlines.
    mutating func cancel() {
        callback?.cancel()
        callback = nil
        armedFor = .distantFuture
        idleAt = .distantFuture
        totalAt = .distantFuture
        parkedUntil = .distantFuture
    }
}
