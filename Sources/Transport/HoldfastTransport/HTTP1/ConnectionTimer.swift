import HTTPTypes
import HoldfastNIO
import NIOCore

/// The deadlines of one connection, and the one timer that watches them all.
///
/// Progress only moves a field; the timer is armed anew when it fires and finds that nothing is due.
struct ConnectionTimer {
    /// How long the connection may be idle between exchanges.
    var keepAlive: Duration = .zero
    /// Whether the caller, not the server, is what the exchange waits for.
    var isPaused = false

    private static let keepAliveField = HTTPField.Name("Keep-Alive")

    private var idleTimeout = TimeAmount.zero
    private var idleAt = NIODeadline.distantFuture
    private var totalAt = NIODeadline.distantFuture
    private var parkedUntil = NIODeadline.distantFuture
    private var armedFor = NIODeadline.distantFuture
    private var callback: NIOScheduledCallback?

    /// What is due.
    enum Due: Hashable, Sendable {
        case idle, total, keepAlive
    }

    /// An exchange begins.
    mutating func begin(_ exchange: Exchange, at now: NIODeadline) {
        idleTimeout = TimeAmount(clamping: exchange.options.idleTimeout)
        idleAt = now + idleTimeout
        totalAt = exchange.deadline ?? .distantFuture
        parkedUntil = .distantFuture
        isPaused = false
    }

    /// Nothing is under way.
    mutating func park(at now: NIODeadline) {
        idleAt = .distantFuture
        totalAt = .distantFuture
        parkedUntil = now + TimeAmount(clamping: keepAlive)
    }

    /// The pool has lent the connection; the exchange has not arrived yet.
    mutating func lent() {
        parkedUntil = .distantFuture
    }

    /// Bytes have moved.
    mutating func progressed(at now: NIODeadline) {
        idleAt = now + idleTimeout
    }

    /// Honours `Keep-Alive: timeout=n`: a connection is given up a second before the server does it, since a request that
    /// crosses with the server's farewell may not be repeatable.
    mutating func limitKeepAlive(_ fields: HTTPFields) {
        guard let name = Self.keepAliveField else { return }
        for parameter in fields.tokens(of: name) {
            let pair = parameter.split(separator: "=", maxSplits: 1)
            guard pair.count == 2, pair[0] == "timeout", let seconds = UInt32(pair[1]) else { continue }
            keepAlive = min(keepAlive, .seconds(max(0, Int64(seconds) - 1)))
        }
    }

    /// What is due at `now`, if anything.
    func due(at now: NIODeadline) -> Due? {
        if totalAt <= now { return .total }
        if idleAt <= now, !isPaused { return .idle }
        return parkedUntil <= now ? .keepAlive : nil
    }

    /// When something is due next, unless something moves before.
    var next: NIODeadline { min(idleAt, totalAt, parkedUntil) }

    /// Arms the timer where it is not armed for an earlier time already.
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
        // Throws only on a loop that is being shut down, where nothing is timed any more.
        callback = try? context.eventLoop.assumeIsolated().scheduleCallback(at: next, handler: handler)
    }

    /// The connection ends.
    mutating func cancel() {
        callback?.cancel()
        callback = nil
        armedFor = .distantFuture
        idleAt = .distantFuture
        totalAt = .distantFuture
        parkedUntil = .distantFuture
    }
}
