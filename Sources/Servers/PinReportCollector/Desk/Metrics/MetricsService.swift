import HTTPTypes
import HoldfastTrust
import HummingbirdCore
import PinReports
import ServerKit

/// Answers `GET /metrics`.
struct MetricsService: Sendable {
    static let path = "/metrics"

    let desk: DeskService
    /// Whether this collector delivers the messages of a webhook.
    let hasWebhook: Bool

    /// Answers a request. Returns `nil` for another path.
    func response(_ request: CollectorRequest) async -> Response? {
        guard request.path == Self.path else { return nil }
        do throws(RequestRefusal) {
            try check(request)
        } catch {
            desk.service.events.add(.refused(status: error.status.code, code: error.code, count: 1))
            return DeskFailure(error).response(asPage: false)
        }
        let now = desk.configuration.clock.now()
        let totals = try? await desk.store.totals(at: now)
        let text = MetricsText(
            desk.service.events.counters.counts, totals: totals, followers: desk.hub.count,
            hasWebhook: hasWebhook, rollouts: desk.watcher.counts, at: now
        ).text
        return .desk(Array(text.utf8), MetricsText.contentType)
    }

    private func check(_ request: CollectorRequest) throws(RequestRefusal) {
        guard request.head.method == .get || request.head.method == .head else {
            throw RequestRefusal(
                .methodNotAllowed, "wrongMethod", "This path supports GET, HEAD.", headers: [.allow: "GET, HEAD"])
        }
        let (configuration, service) = (desk.configuration, desk.service)
        let access = ReadAccess(
            token: configuration.desk.metricsToken, allowsThisMachine: configuration.trustsThisMachine)
        if access.token != nil { try service.checkTries(request.peer) }
        guard let refusal = access.refusal(of: request.head, from: request.peer) else { return }
        try service.countTry(request.peer)
        throw refusal
    }
}
