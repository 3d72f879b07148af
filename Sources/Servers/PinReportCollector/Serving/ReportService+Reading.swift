import HTTPTypes
import HoldfastTrust

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
            try items.none()
            _ = try await stored { try $0.page(ReportQuery(limit: 1)) }
            return CollectorAnswer(.ok, .fields([("status", .string("ok"))]))
        case .list:
            let query = try items.page()
            let page = try await stored { try $0.page(query) }
            return CollectorAnswer(
                .ok,
                .fields([
                    ("reports", .list(try page.reports.map { try $0.json() })),
                    ("next", page.next.map { .number(String($0)) } ?? .null),
                ]))
        case .summary:
            let filter = try items.summary()
            return CollectorAnswer(.ok, try await stored { try $0.summary(filter) }.json)
        case .report(let id):
            try items.none()
            guard let found = try await stored({ try $0.report(id) }) else {
                throw Refusal(.notFound, "notFound", "There is no such report.")
            }
            return CollectorAnswer(.ok, try found.report.json(body: found.body))
        }
    }
}
