import HTTPTypes
import Hummingbird

/// Says to load balancers and supervisors whether the server runs, and whether it can serve clients. Anyone may ask.
struct HealthRoutes: Sendable {
    let driver: ChatServerDriver
    /// Whether the server was asked to end.
    let isDraining: @Sendable () -> Bool

    /// Adds the routes to a router.
    func add(to router: Router<ServerRequestContext>) {
        router.get("/health/live") { _, _ in Self.response(.ok, "ok") }
        router.get("/health/ready") { _, _ in await ready() }
    }

    /// Returns 200 if clients can be served.
    func ready() async -> Response {
        guard !isDraining() else { return Self.response(.serviceUnavailable, "draining") }
        guard await driver.isReady() else { return Self.response(.serviceUnavailable, "database") }
        return Self.response(.ok, "ok")
    }

    private static func response(_ status: HTTPResponse.Status, _ text: String) -> Response {
        var response = Response.json(Array("{\"status\": \"\(text)\"}\n".utf8), status: status)
        response.headers[.cacheControl] = "no-store"
        return response
    }
}
