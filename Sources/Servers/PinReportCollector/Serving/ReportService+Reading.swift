import HTTPTypes
import HoldfastTrust
import PinReports

extension ReportService {
    /// Answers a reader. Access and the limit on failed attempts are checked before anything is read.
    func read(_ route: ReaderRoute, _ request: CollectorRequest) async throws -> CollectorAnswer {
        if !route.isPublic {
            // Checked before the token: otherwise an attacker could distinguish a correct guess even after exceeding
            // the limit.
            if access.token != nil { try checkTries(request.peer) }
            if let refusal = access.refusal(of: request.head, from: request.peer) {
                try countTry(request.peer)
                throw refusal
            }
        }
        let items = try QueryItems(request.query)
        switch route {
        case .health:
            try items.allow([])
            let (found, isNew) = await health.value(at: configuration.uptime()) { [store] in
                do throws(ReportCollectorError) {
                    _ = try await store.page(ReportQuery(limit: 1))
                    return .success(())
                } catch {
                    return .failure(error)
                }
            }
            // A failed check is one event, however many requests share it.
            if case .failure(let error) = found { return unavailable(error, isLogged: isNew).answer }
            return Self.state(.ok, "ok")
        case .live:
            try items.allow([])
            return Self.state(.ok, "ok")
        case .ready:
            try items.allow([])
            // The requests of a load balancer are not events: an absent database would fill the log.
            guard !isDraining() else { return Self.state(.serviceUnavailable, "draining") }
            let isReady = await readiness.value(at: configuration.uptime()) { [store] in await store.isReady() }.value
            guard isReady else { return Self.state(.serviceUnavailable, "database") }
            return Self.state(.ok, "ok")
        case .list:
            let query = try items.page()
            let page = try await store.page(query)
            return CollectorAnswer(
                .ok,
                .fields([
                    ("reports", .list(try page.reports.map { try $0.json() })),
                    ("next", page.next.map { .number(String($0)) } ?? .null),
                ]))
        case .summary:
            let filter = try items.summary()
            return CollectorAnswer(.ok, try await store.summary(filter).json)
        case .report(let id):
            try items.allow([])
            guard let found = try await store.report(id) else {
                throw RequestRefusal(.notFound, "notFound", "The report does not exist.")
            }
            return CollectorAnswer(.ok, try found.report.json(body: found.body))
        }
    }

    /// Returns an answer about the state of the collector.
    private static func state(_ status: HTTPResponse.Status, _ text: String) -> CollectorAnswer {
        CollectorAnswer(status, .fields([("status", .string(text))]))
    }
}

/// A route for readers.
enum ReaderRoute: Hashable, Sendable {
    case list
    case summary
    case report(Int64)
    /// Whether the database can be read.
    case health
    /// Whether the process answers.
    case live
    /// Whether a load balancer may send requests.
    case ready

    /// Whether anyone may read the route, without a token.
    var isPublic: Bool { [.health, .live, .ready].contains(self) }

    init?(_ path: String) {
        switch path {
        case ReportCollectorConfiguration.listPath: self = .list
        case ReportCollectorConfiguration.summaryPath: self = .summary
        case ReportCollectorConfiguration.healthPath: self = .health
        case ReportCollectorConfiguration.livePath: self = .live
        case ReportCollectorConfiguration.readyPath: self = .ready
        default:
            let prefix = ReportCollectorConfiguration.listPath + "/"
            guard path.hasPrefix(prefix), let id = Int64(path.dropFirst(prefix.count)), id > 0 else { return nil }
            self = .report(id)
        }
    }
}
