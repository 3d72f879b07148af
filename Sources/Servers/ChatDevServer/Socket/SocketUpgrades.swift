import ChatServerCore
import ChatWire
import HTTPTypes
import HoldfastWebSocket
import Logging
import NIOCore
import Synchronization

/// Decides which upgrades are granted: those to the socket's path that do not come from a foreign web page, unless a
/// planned fault prevents it.
enum SocketGate {
    /// The time a client has to answer a close frame before it is disconnected.
    static let closeTimeout = Duration.seconds(2)

    static func upgrader(
        limits: ChatDevServerLimits, hosts: AllowedHosts, driver: ChatServerDriver, logger: Logger
    ) -> WebSocketUpgrader {
        let sizes = WebSocketLimits(
            maximumFrameSize: limits.messageBytes, maximumMessageSize: limits.messageBytes, maximumFragments: 1_024,
            receiveBuffer: limits.messageBytes)
        let options = WebSocketServerOptions(limits: sizes, closeTimeout: closeTimeout)
        return WebSocketUpgrader(options: options, logger: logger) { request, loop in
            let decision = decide(request, hosts)
            guard case .accept = decision else { return loop.makeSucceededFuture(decision) }
            return driver.decideOnUpgrade(on: loop)
        }
    }

    static func decide(_ request: WebSocketUpgradeRequest, _ hosts: AllowedHosts) -> WebSocketDecision {
        guard hosts.include(request.host) else {
            return .reject(WebSocketRejection(status: 421, reason: "This server does not serve this host name."))
        }
        guard request.path == ServerPaths.socket else {
            return .reject(WebSocketRejection(status: 404, reason: "This path does not support WebSocket."))
        }
        // Any page in the same browser could use a client's cookie (RFC 6455, section 10.2).
        if let origin = request.origin, !isSameHost(origin: origin, host: request.host) {
            return .reject(WebSocketRejection(status: 403, reason: "Web pages of other hosts are refused."))
        }
        return .accept()
    }

    private static func isSameHost(origin: String, host: String) -> Bool {
        guard let scheme = origin.firstRange(of: "://") else { return false }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
    }
}

/// Upgrades that a script leaves unanswered. Each is answered after ``longest`` or when the server stops, so that no
/// connection stays open forever.
final class PendingUpgrades: Sendable {
    /// The maximum time for which an upgrade waits for a decision before it is refused. Clients wait for a handshake
    /// for a shorter time.
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

extension WebSocketRejection {
    /// Creates a rejection with the protocol's error as the body.
    init(_ refusal: UpgradeRefusal) {
        var headers = HTTPFields()
        if let seconds = refusal.retryAfter { headers[.retryAfter] = String(seconds) }
        self.init(
            status: refusal.status, headers: headers, reason: String(decoding: refusal.failure.bytes, as: UTF8.self))
    }

    /// The rejection while the server stops or its database has failed.
    static let unavailable = WebSocketRejection(UpgradeRefusal(status: 503, ErrorAnswer("server.unavailable")))
}
