import HTTPTypes
import HoldfastBase
import HoldfastTrust
import HummingbirdCore
import PinReportDesk
import PinReports
import ServerKit
import ServerMarkup

/// Answers the requests of the report desk.
final class DeskService: Sendable {
    /// The maximum size of a form in bytes.
    private static let formBytes = 16 * 1024

    let configuration: ReportCollectorConfiguration
    let service: ReportService
    let gate: DeskGate
    let hub: DeskHub
    let evidence: EvidenceReader
    /// Watches the roll-outs. It must run.
    let watcher: RolloutWatcher

    var store: any ReportStore { service.store }
    var catalog: PolicyCatalog { evidence.catalog }

    init(_ service: ReportService, gate: DeskGate) {
        configuration = service.configuration
        self.service = service
        self.gate = gate
        // The seconds of the clock, so that a version does not repeat after a restart.
        let seconds = UInt64(clamping: configuration.clock.now().secondsSince1970)
        let hub = DeskHub(firstVersion: seconds << 24)
        self.hub = hub
        let events = service.events
        watcher = RolloutWatcher(
            configuration, store: service.store, onEvent: { events.add($0) }, onChange: { hub.changed() })
        evidence = EvidenceReader(
            store: service.store, catalog: configuration.desk.catalog,
            authorities: configuration.desk.publicAuthorities, limits: configuration.limits.report,
            clock: configuration.clock)
    }

    /// Answers a request. Returns `nil` if its path does not belong to the desk. `body` reads the body up to a number
    /// of bytes, or returns `nil` if it is longer. Rethrows errors of `body`.
    func response(_ request: CollectorRequest, body: (Int) async throws -> [UInt8]?) async throws -> Response? {
        guard configuration.desk.isEnabled, let route = DeskRoute(request.path) else { return nil }
        do {
            return try await answer(route, request, body: body)
        } catch let failure as DeskFailure {
            return refuse(failure, route)
        } catch let refusal as RequestRefusal {
            return refuse(DeskFailure(refusal), route)
        } catch let error as ReportCollectorError {
            service.events.add(.storageFailed(reason: Printable.text(error.reason)))
            let failure = DeskFailure(
                .serviceUnavailable, "storage", "Reports cannot be read at the moment. Try again in a minute.",
                headers: [.retryAfter: "60"])
            return failure.response(asPage: route.isPage)
        }
    }

    private func refuse(_ failure: DeskFailure, _ route: DeskRoute) -> Response {
        if failure.status != .notFound {
            service.events.add(.refused(status: failure.status.code, code: failure.code, count: 1))
        }
        return failure.response(asPage: route.isPage)
    }

    private func answer(
        _ route: DeskRoute, _ request: CollectorRequest, body: (Int) async throws -> [UInt8]?
    ) async throws -> Response {
        if case .file(let name) = route { return try file(name, request) }
        try gate.admit(request)
        switch request.head.method {
        case .get, .head:
            guard !route.isChange else { throw Self.wrongMethod("POST") }
            return try await read(route, request)
        case .post:
            guard route.isChange || route == .signIn else { throw Self.wrongMethod("GET, HEAD") }
            try gate.requireOwnPage(request, for: .change)
            let fields = try await form(body)
            return try await change(route, fields, request)
        default: throw Self.wrongMethod(route.isChange ? "POST" : "GET, HEAD")
        }
    }

    private static func wrongMethod(_ allowed: String) -> DeskFailure {
        DeskFailure(.methodNotAllowed, "wrongMethod", "This path supports \(allowed).", headers: [.allow: allowed])
    }

    private func form(_ body: (Int) async throws -> [UInt8]?) async throws -> FormFields {
        guard let bytes = try await body(Self.formBytes) else {
            throw DeskFailure(.contentTooLarge, "tooLarge", "The form is too large.")
        }
        do throws(FormFields.Malformed) {
            return try FormFields(urlencoded: bytes)
        } catch {
            throw DeskFailure(.badRequest, "invalidForm", "The form cannot be read.")
        }
    }

    private func file(_ name: String, _ request: CollectorRequest) throws -> Response {
        guard request.head.method == .get || request.head.method == .head else { throw Self.wrongMethod("GET, HEAD") }
        guard let file = ReportDeskFiles.all.first(where: { $0.name == name }) else { throw DeskFailure.notFound }
        var response = Response.desk(file.bytes, file.contentType)
        // The address contains a digest. Only a request with it may be kept.
        if let query = request.query, file.address.hasSuffix("?" + query) {
            response.headers[.cacheControl] = "public, max-age=31536000, immutable"
        }
        return response
    }

    // MARK: Sessions

    /// Returns the session of a reader. Programs with the token have none.
    private func reader(_ route: DeskRoute, _ request: CollectorRequest) throws -> DeskSessions.Session? {
        if let session = try gate.session(of: request) { return session }
        guard route.isForPrograms, let isRight = gate.showsToken(request) else { throw DeskFailure.signedOut }
        try service.checkTries(request.peer)
        guard isRight else {
            try service.countTry(request.peer)
            throw DeskFailure(
                .unauthorized, "unauthorized", "Reading reports needs a token: Authorization: Bearer TOKEN.",
                headers: [.wwwAuthenticate: "Bearer"])
        }
        return nil
    }

    private func read(_ route: DeskRoute, _ request: CollectorRequest) async throws -> Response {
        switch route {
        case .root: return .desk(redirectTo: DeskPaths.incidents)
        case .signIn: return try signInPage(request)
        default: break
        }
        let isNavigation = route.isPage || route.isForPrograms
        try gate.requireOwnPage(request, for: isNavigation ? .navigation : .reading)
        let session: DeskSessions.Session?
        do {
            session = try reader(route, request)
        } catch let failure as DeskFailure where failure.code == DeskFailure.signedOut.code && route.isPage {
            return .desk(redirectTo: DeskPaths.signIn)
        }
        if let session {
            if route == .events { return follow(session) }
            if route.isPage { return try await page(route, request, session) }
        }
        return try await export(route, request)
    }

    private func signInPage(
        _ request: CollectorRequest, _ failure: DeskFailure? = nil, name: String = "", oneTime: String? = nil
    ) throws -> Response {
        if failure == nil, try gate.session(of: request) != nil { return .desk(redirectTo: DeskPaths.incidents) }
        let form = try gate.signInForm(request)
        // A browser may load the address before the person opens it, so that only the form uses up the token.
        let once = oneTime ?? request.query.flatMap { try? FormFields(query: $0) }?["once"]
        var response = Response.desk(
            page: ReportDeskPages.signIn(form: form.token, name: name, oneTime: once, notice: failure?.reason),
            status: failure?.status ?? .ok)
        response.headers[.setCookie] = form.cookie
        for field in failure?.headers ?? [:] { response.headers[field.name] = field.value }
        return response
    }

    private func change(_ route: DeskRoute, _ fields: FormFields, _ request: CollectorRequest) async throws -> Response
    {
        if route == .signIn { return try signIn(fields, request) }
        guard let session = try gate.session(of: request) else { throw DeskFailure.signedOut }
        try gate.requireForm(fields["form"], of: session)
        switch route {
        case .signOut:
            let ended = try gate.signOut(request)
            if let session = ended.session { hub.end(session.number) }
            var response = Response.desk(redirectTo: DeskPaths.signIn)
            response.headers[.setCookie] = ended.cookie
            return response
        case .state(let id):
            guard let state = fields["state"].flatMap({ IncidentState(rawValue: $0) }) else {
                throw DeskFailure(.badRequest, "invalidForm", "The form contains no known state.")
            }
            guard try await store.change(id, to: state, by: session.name, at: configuration.clock.now()) else {
                throw DeskFailure(
                    .conflict, "state",
                    "The state was not changed: the incident does not exist, or another person has changed it. "
                        + "Load the page again.")
            }
            hub.changed()
            return .desk(redirectTo: DeskPaths.incident(id))
        default: throw DeskFailure.notFound
        }
    }

    private func signIn(_ fields: FormFields, _ request: CollectorRequest) throws -> Response {
        do {
            try service.checkTries(request.peer)
            let cookies = try gate.signIn(fields, request)
            var response = Response.desk(redirectTo: DeskPaths.incidents)
            response.headers[values: .setCookie] = cookies
            return response
        } catch let failure as DeskFailure {
            var shown = failure
            if failure.code == DeskGate.wrongToken.code {
                do throws(RequestRefusal) { try service.countTry(request.peer) } catch { shown = DeskFailure(error) }
            }
            service.events.add(.refused(status: shown.status.code, code: shown.code, count: 1))
            // A used one-time token is not offered again.
            let once = failure.code == "name" || failure.code == "form" ? fields["once"] : nil
            return try signInPage(request, shown, name: fields["name"] ?? "", oneTime: once)
        }
    }
}
