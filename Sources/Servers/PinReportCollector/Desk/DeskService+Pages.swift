import HTTPTypes
import HoldfastTrust
import HummingbirdCore
import PinReportDesk
import PinReports

extension DeskService {
    /// The maximum number of incidents in a CSV file, and of incidents whose policy versions count for roll-outs.
    /// Further ones are left out.
    private static let exportLimit = 10_000
    private static let rolloutIncidents = 50

    // MARK: Pages

    func page(
        _ route: DeskRoute, _ request: CollectorRequest, _ session: DeskSessions.Session
    ) async throws -> Response {
        let pages = ReportDeskPages(
            // The version is read first: a change after it makes the page load again.
            visitor: DeskVisitor(name: session.name, form: session.form, version: hub.version),
            now: configuration.clock.now())
        switch route {
        case .incidents:
            return try await incidents(request, pages)
        case .incident(let id):
            guard let view = try await evidence.view(of: id) else { throw DeskFailure.notFound }
            return .desk(page: pages.incident(view))
        case .report(let id):
            guard let found = try await store.report(id) else { throw DeskFailure.notFound }
            let view = ReportView(
                id: id, receivedAt: found.report.receivedAt, decoded: evidence.decoded(found),
                details: found.report.details, catalog: catalog)
            return .desk(page: pages.report(view))
        case .rollouts:
            return .desk(page: pages.rollouts(try await rollouts()))
        default: throw DeskFailure.notFound
        }
    }

    private func incidents(_ request: CollectorRequest, _ pages: ReportDeskPages) async throws -> Response {
        let parameters: IncidentParameters
        var failure: DeskFailure?
        do {
            parameters = try IncidentParameters(request.query)
        } catch {
            failure = error
            parameters = try IncidentParameters(nil)
        }
        // A refused filter shows no incidents, so that nobody takes all of them for the result.
        let page = failure == nil ? try await store.incidents(parameters.query) : IncidentPage([], limit: 0)
        let totals = try await store.totals(at: configuration.clock.now())
        let view = IncidentListView(
            filter: parameters.filter, incidents: page.incidents,
            nextQuery: page.next.map { parameters.text(before: $0) }, query: parameters.text,
            counts: totals.incidents.mapValues { Int64($0) }, reports: Int64(totals.reports),
            lastHour: Int64(totals.lastHour))
        return .desk(page: pages.incidents(view, notice: failure?.reason), status: failure?.status ?? .ok)
    }

    /// Returns the known bundles, with the number of reports that name their versions in the newest incidents.
    private func rollouts() async throws -> [RolloutView] {
        let page = try await store.incidents(IncidentQuery(limit: Self.rolloutIncidents))
        var counts: [String: Int64] = [:]
        for summary in page.incidents {
            guard let detail = try await store.incident(summary.id) else { continue }
            for version in detail.policyVersions where !version.isOther {
                let name = "\(summary.key.app) \(version.value)"
                let (sum, overflow) = (counts[name] ?? 0).addingReportingOverflow(version.count)
                counts[name] = overflow ? .max : sum
            }
        }
        let now = configuration.clock.now()
        let watched = watcher.rollouts
        return catalog.policies.compactMap { policy in
            guard let application = policy.application, let version = policy.version else { return nil }
            var view = RolloutView(
                name: policy.name, application: application, version: version, notAfter: policy.notAfter,
                stages: policy.stages, reports: counts["\(application) \(version)"] ?? 0)
            let id = RolloutID(application: application, version: version)
            if let rollout = watched.first(where: { $0.plan.id == id }) {
                view.show(rollout.plan, rollout.status, keyID: watcher.keyID, at: now)
            }
            return view
        }
    }

    // MARK: Exports

    /// Answers a program, or a link to a file.
    func export(_ route: DeskRoute, _ request: CollectorRequest) async throws -> Response {
        switch route {
        case .incidentsJSON:
            let page = try await store.incidents(try IncidentParameters(request.query).query)
            return .desk(json: IncidentExport.json(page.incidents, next: page.next?.text))
        case .incidentsCSV:
            return try await csv(try IncidentParameters(request.query).query)
        case .incidentJSON(let id):
            guard let view = try await evidence.view(of: id) else { throw DeskFailure.notFound }
            return .desk(json: IncidentExport.json(view.detail, view.diagnoses))
        case .draft(let id):
            guard let view = try await evidence.view(of: id) else { throw DeskFailure.notFound }
            switch view.draft {
            case .success(let draft):
                var response = Response.desk(Array(draft.policy.utf8), "application/json; charset=utf-8")
                response.offer(as: PolicyDraft.fileName)
                return response
            case .failure(let refusal): throw DeskFailure(.notFound, "noDraft", refusal.reason)
            }
        case .reportJSON(let id):
            guard let found = try await store.report(id) else { throw DeskFailure.notFound }
            do throws(JSONFault) {
                return .desk(json: try found.report.json(body: found.body))
            } catch {
                throw DeskFailure(.internalServerError, "storage", "The stored report cannot be read.")
            }
        default: throw DeskFailure.signedOut
        }
    }

    /// Returns all incidents of a filter as CSV. The name of a file with only the first ones says so.
    private func csv(_ query: IncidentQuery) async throws -> Response {
        var query = query
        query.limit = IncidentQuery.limits.upperBound
        var (text, count) = (IncidentExport.csvHeader, 0)
        repeat {
            let page = try await store.incidents(query)
            text += IncidentExport.csv(page.incidents)
            count += page.incidents.count
            query.before = page.next
        } while query.before != nil && count < Self.exportLimit
        var response = Response.desk(Array(text.utf8), "text/csv; charset=utf-8; header=present")
        response.offer(as: IncidentExport.fileName(count, isComplete: query.before == nil))
        return response
    }
}
