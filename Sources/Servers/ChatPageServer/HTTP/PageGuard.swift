import ChatPage
import HTTPTypes
import Hummingbird
import Logging
import ServerKit

/// Checks each request before its route, and adds the security headers to each response, also to an error.
struct PageGuard: RouterMiddleware {
    typealias Context = PageRequestContext

    let access: PageAccess
    /// The path of the page itself, to which links from anywhere may lead.
    let pagePath: String
    let logger: Logger

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        var context = context
        var response: Response
        do {
            try check(request, &context)
            response = try await next(request, context)
        } catch {
            let failure = Self.failure(error)
            if failure.status == .internalServerError {
                logger.error("A request failed", metadata: ["error": "\(error)"])
            }
            response = failure.response(from: request, context: context)
            // The rest of a refused body is not read.
            if request.method == .post { response.headers[.connection] = "close" }
        }
        SecurityHeaders.add(to: &response.headers, isSecure: context.origin?.isSecure == true)
        return response
    }

    private func check(_ request: Request, _ context: inout Context) throws(PageFailure) {
        guard let origin = access.origins.origin(of: request.head.authority, request.headers) else { throw .host }
        context.origin = origin
        let purpose: RequestSource.Purpose =
            switch request.method {
            case .get, .head: request.uri.path == pagePath ? .navigation : .reading
            default: .change
            }
        guard RequestSource.refusal(purpose, request.headers, own: origin) == nil else { throw .crossSite }
        // A prefetch neither uses a one-time token nor opens a session, which would mark messages as read.
        guard !RequestSource.isPrefetch(request.headers) || purpose != .navigation else { throw .prefetch }
        context.browser = access.browser(request.headers, at: origin)
    }

    /// Returns the failure to answer with. The text of an unexpected error is not for visitors.
    static func failure(_ error: any Error) -> PageFailure {
        switch error {
        case let failure as PageFailure: failure
        case let refusal as ChatPageRefusal: PageFailure(refusal)
        case is SessionHouse.Full: .full
        case is FormFields.Malformed: .invalid("form")
        case let error as PageProtocolError: PageFailure(error)
        case let error as HTTPError where error.status == .notFound: .notFound
        case let error as HTTPError:
            PageFailure(error.status, "request", "The request is not valid.")
        default: VisitorFailure.failure(error)
        }
    }
}
