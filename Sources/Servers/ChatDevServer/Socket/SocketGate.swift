import HoldfastWebSocket
import Logging
import NIOCore

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
