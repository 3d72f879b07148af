import ChatPage
import HTTPTypes
import HoldfastWebSocket
import Logging
import NIOCore
import ServerKit

/// Decides which upgrades are granted: those of the server's own pages, with the cookie of a signed-in browser.
struct PageSocketGate: Sendable {
    /// The time a page has to answer a close frame before it is disconnected.
    static let closeTimeout = Duration.seconds(2)

    let access: PageAccess
    let paths: PagePaths

    /// Returns an upgrader with the limits for a page's frames.
    func upgrader(logger: Logger) -> WebSocketUpgrader {
        let limit = PageProtocolLimits().maximumBytes
        let options = WebSocketServerOptions(
            limits: WebSocketLimits(
                maximumFrameSize: limit, maximumMessageSize: limit, maximumFragments: 64, receiveBuffer: limit),
            closeTimeout: Self.closeTimeout)
        return WebSocketUpgrader(options: options, logger: logger) { request, loop in
            loop.makeSucceededFuture(decide(request))
        }
    }

    /// Decides on an upgrade. A browser sends the cookie with a WebSocket from any page, so that the origin decides
    /// (RFC 6455, section 10.2).
    func decide(_ request: WebSocketUpgradeRequest) -> WebSocketDecision {
        guard let origin = access.origins.origin(of: request.host) else { return Self.reject(.host) }
        guard request.path == paths.path("socket") else { return Self.reject(.notFound) }
        guard RequestSource.refusal(.socket, request.headers, own: origin) == nil else {
            return Self.reject(.crossSite)
        }
        guard access.browser(request.headers, at: origin) != nil else { return Self.reject(.signedOut) }
        guard (try? PagePlace(Self.query(request))) != nil else { return Self.reject(.invalid("client")) }
        return .accept()
    }

    /// Returns the browser and the place of a granted upgrade; `nil` if the browser was signed out meanwhile.
    func admitted(_ request: WebSocketUpgradeRequest) -> (PageAccess.Browser, PagePlace)? {
        guard let origin = access.origins.origin(of: request.host),
            let browser = access.browser(request.headers, at: origin), let place = try? PagePlace(Self.query(request))
        else { return nil }
        return (browser, place)
    }

    private static func query(_ request: WebSocketUpgradeRequest) -> String? {
        request.target.firstIndex(of: "?").map { String(request.target[request.target.index(after: $0)...]) }
    }

    private static func reject(_ failure: PageFailure) -> WebSocketDecision {
        var headers = HTTPFields()
        SecurityHeaders.add(to: &headers)
        return .reject(WebSocketRejection(status: failure.status.code, headers: headers, reason: failure.text))
    }
}
