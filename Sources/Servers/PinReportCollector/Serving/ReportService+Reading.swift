import HTTPTypes
import HoldfastTrust
import PinReports

extension ReportService {
    /// Answers a reader. Access and the limit on failed attempts are checked before anything is read.
    func read(_ route: ReaderRoute, _ request: CollectorRequest) async throws -> CollectorAnswer {
        if route != .health {
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
            _ = try await store.page(ReportQuery(limit: 1))
            return CollectorAnswer(.ok, .fields([("status", .string("ok"))]))
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
}

/// A route for readers.
enum ReaderRoute: Hashable, Sendable {
    case list
    case summary
    case report(Int64)
    case health

    init?(_ path: String) {
        switch path {
        case ReportCollectorConfiguration.listPath: self = .list
        case ReportCollectorConfiguration.summaryPath: self = .summary
        case ReportCollectorConfiguration.healthPath: self = .health
        default:
            let prefix = ReportCollectorConfiguration.listPath + "/"
            guard path.hasPrefix(prefix), let id = Int64(path.dropFirst(prefix.count)), id > 0 else { return nil }
            self = .report(id)
        }
    }
}
