import ChatWire
import Hummingbird

/// Adds a JSON body to every refusal. Refuses requests for other hosts, and requests with an unexpected body.
struct FailureMiddleware: RouterMiddleware {
    typealias Context = ServerRequestContext

    /// The maximum size of an unexpected body in bytes. A larger one is an error.
    static let strayBodyBytes = 64 * 1024

    let hosts: AllowedHosts

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard hosts.include(request.head.authority, request.headers) else {
            return RESTFailure(
                .misdirectedRequest,
                ErrorAnswer("request.host", details: "This server does not serve this host name.")
            )
            .response(from: request, context: context)
        }
        if request.method != .put, request.method != .patch, Self.announcesLargeBody(request) {
            return RESTFailure(.contentTooLarge, ErrorAnswer("request.too-large"))
                .response(from: request, context: context)
        }
        do {
            return try await next(request, context)
        } catch let failure as RESTFailure {
            return failure.response(from: request, context: context)
        } catch let error as HTTPError {
            let name = error.status == .notFound ? "request.not-found" : "request.failed"
            return RESTFailure(error.status, ErrorAnswer(name)).response(from: request, context: context)
        }
    }

    private static func announcesLargeBody(_ request: Request) -> Bool {
        if request.headers[.transferEncoding] != nil { return true }
        guard let length = request.headers[.contentLength] else { return false }
        return Int64(length).map { $0 > Int64(strayBodyBytes) } ?? true
    }
}
