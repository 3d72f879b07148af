import HoldfastWebSocket
import NIOCore
import Synchronization

/// Upgrades that a script leaves unanswered. Each is answered after ``longest`` or when the server stops, so that no
/// connection stays open forever.
final class PendingUpgrades: Sendable {
    /// Longer than clients wait for a handshake.
    static let longest = TimeAmount.minutes(10)

    private struct State {
        var count: UInt64 = 0
        var promises: [UInt64: EventLoopPromise<WebSocketDecision>] = [:]
        var hasEnded = false
    }

    private let state = Mutex(State())

    /// Returns a decision that is not made yet.
    func hold(on loop: any EventLoop) -> EventLoopFuture<WebSocketDecision> {
        let promise = loop.makePromise(of: WebSocketDecision.self)
        let number = state.withLock { state -> UInt64? in
            guard !state.hasEnded else { return nil }
            state.count += 1
            state.promises[state.count] = promise
            return state.count
        }
        guard let number else {
            promise.succeed(.reject(.unavailable))
            return promise.futureResult
        }
        let timer = loop.scheduleTask(in: Self.longest) { self.take(number)?.succeed(.reject(.unavailable)) }
        promise.futureResult.whenComplete { _ in timer.cancel() }
        return promise.futureResult
    }

    /// Answers all pending upgrades and every further one.
    func end() {
        let promises = state.withLock { state in
            state.hasEnded = true
            defer { state.promises = [:] }
            return Array(state.promises.values)
        }
        for promise in promises { promise.succeed(.reject(.unavailable)) }
    }

    private func take(_ number: UInt64) -> EventLoopPromise<WebSocketDecision>? {
        state.withLock { $0.promises.removeValue(forKey: number) }
    }
}
