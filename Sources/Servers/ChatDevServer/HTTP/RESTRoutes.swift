import ChatServerCore
import ChatWire
import Hummingbird

/// The REST calls. Each is parsed to a value, passed to the core, and answered with the core's answer.
struct RESTRoutes: Sendable {
    let driver: ChatServerDriver

    /// Adds the routes to a router.
    func add(to router: Router<ServerRequestContext>) {
        let dialect = ChatDialect.documented
        router.get(RouterPath(dialect.configurationPath)) { request, _ in
            let query = request.uri.queryParameters
            return try await answer(
                .configuration(
                    appMarker: query.get("appMarker"),
                    apiVersion: try Self.number("chatApiVersion", in: request) ?? 17),
                to: request)
        }
        for path in [dialect.historyPath, dialect.legacyHistoryPath] {
            router.get(RouterPath(path)) { request, _ in
                try await answer(.history(try Self.historyRequest(request)), to: request)
            }
        }
        router.get(RouterPath(dialect.unreadPath)) { request, _ in
            try await answer(.unread, to: request)
        }
        router.get(RouterPath(dialect.searchPath)) { request, _ in
            guard let query = request.uri.queryParameters.get("query") else { throw RESTFailure.invalid("query") }
            return try await answer(
                .search(
                    query: query, page: try Self.number("page", in: request) ?? 0,
                    size: try Self.number("size", in: request) ?? 20),
                to: request)
        }
        router.delete(RouterPath(dialect.devicePath)) { request, _ in
            try await answer(.deleteDevice, to: request)
        }
    }

    private func answer(_ call: RESTRequest, to request: Request) async throws -> Response {
        switch await driver.call(call, from: Caller(headers: request.headers)) {
        case .configuration(let answer): return .json(answer.bytes)
        case .history(let answer): return .json(answer.bytes)
        case .unread(let answer): return .json(answer.bytes)
        case .search(let answer): return .json(answer.bytes)
        case .deviceDeleted: return Response(status: .noContent)
        case let refusal: throw RESTFailure(refusal)
        }
    }

    static func historyRequest(_ request: Request) throws -> HistoryRequest {
        let query = request.uri.queryParameters
        let count = try number("count", in: request) ?? 30
        switch (query.get("before"), query.get("after")) {
        case (nil, nil): return HistoryRequest(.newest, count: count)
        case (let before?, nil): return HistoryRequest(.before(uuid: before), count: count)
        case (nil, let after?): return HistoryRequest(.after(uuid: after), count: count)
        case (_?, _?): throw RESTFailure.invalid("before")
        }
    }

    private static func number(_ name: String, in request: Request) throws -> Int64? {
        guard let text = request.uri.queryParameters.get(name) else { return nil }
        guard let number = Int64(text) else { throw RESTFailure.invalid(name) }
        return number
    }
}
