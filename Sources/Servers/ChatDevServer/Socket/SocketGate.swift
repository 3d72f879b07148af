import HoldfastWebSocket
import Logging
import NIOCore

/// Decides which upgrades are granted: those to the socket's path that come from no foreign web page, and that no planned
/// fault keeps from it.
enum SocketGate {
    /// How long a client has to answer a close frame before it is cut.
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
            return .reject(WebSocketRejection(status: 421, reason: "The server is not known by this name."))
        }
        guard request.path == ServerPaths.socket else {
            return .reject(WebSocketRejection(status: 404, reason: "There is no WebSocket here."))
        }
        // Clients that are known by a cookie could be made to talk by any page that is open beside them (RFC 6455, 10.2).
        if let origin = request.origin, !isSameHost(origin: origin, host: request.host) {
            return .reject(WebSocketRejection(status: 403, reason: "Pages of other hosts may not open this socket."))
        }
        return .accept()
    }

    private static func isSameHost(origin: String, host: String) -> Bool {
        guard let scheme = origin.firstRange(of: "://") else { return false }
        return origin[scheme.upperBound...].lowercased() == host.lowercased()
    }
}
