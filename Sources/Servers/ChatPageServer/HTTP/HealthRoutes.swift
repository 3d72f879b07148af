import HTTPTypes
import Hummingbird
import NIOCore

/// Says to load balancers and supervisors whether the server runs, and whether it can serve visitors. Like every
/// request, these must name a host of the server.
struct HealthRoutes: Sendable {
    let paths: PagePaths
    /// Whether the server was asked to end.
    let isDraining: @Sendable () -> Bool

    /// Adds the routes to a router.
    func add(to router: Router<PageRequestContext>) {
        router.get(RouterPath(paths.path("health/live"))) { _, _ in Self.response(.ok, "ok") }
        router.get(RouterPath(paths.path("health/ready"))) { _, _ in ready() }
    }

    /// Returns 200 if visitors can be served.
    func ready() -> Response {
        isDraining() ? Self.response(.serviceUnavailable, "draining") : Self.response(.ok, "ok")
    }

    private static func response(_ status: HTTPResponse.Status, _ text: String) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8", .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: "{\"status\": \"\(text)\"}\n")))
    }
}
