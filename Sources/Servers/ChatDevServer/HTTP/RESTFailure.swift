import ChatServerCore
import ChatWire
import Hummingbird

/// A refused request: a status, and the protocol's error as JSON.
struct RESTFailure: HTTPResponseError {
    let status: HTTPResponse.Status
    let failure: ErrorAnswer
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ failure: ErrorAnswer, headers: HTTPFields = [:]) {
        self.status = status
        self.failure = failure
        self.headers = headers
    }

    /// Creates a failure from an answer of the core.
    init(_ answer: ServerAnswer) {
        switch answer {
        case .failure(let status, let failure): self.init(.init(code: status), failure)
        case .refused(let status, let failure, let retryAfter):
            self.init(.init(code: status), failure, headers: [.retryAfter: String(retryAfter)])
        default: self.init(.internalServerError, ErrorAnswer("server.unexpected"))
        }
    }

    /// Returns a failure for an invalid parameter.
    static func invalid(_ parameter: String) -> RESTFailure {
        RESTFailure(.badRequest, ErrorAnswer("request.invalid", details: parameter))
    }

    func response(from request: Request, context: some RequestContext) -> Response {
        var response = Response.json(failure.bytes, status: status)
        for field in headers { response.headers.append(field) }
        return response
    }
}

extension Response {
    /// Returns a JSON response.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// Adds a JSON body to every refusal, except for HEAD (RFC 9110 §9.3.2). Refuses requests for other hosts, and requests
/// with an unexpected body.
struct FailureMiddleware: RouterMiddleware {
    typealias Context = ServerRequestContext

    /// The maximum size of an unexpected body in bytes. A larger one is an error.
    static let strayBodyBytes = 64 * 1024

    let hosts: AllowedHosts

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let response = try await answer(request, context, next)
        return request.method == .head ? response.createHeadResponse() : response
    }

    private func answer(
        _ request: Request, _ context: Context, _ next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard hosts.include(request.head.authority, request.headers) else {
            return RESTFailure(
                .misdirectedRequest,
                ErrorAnswer("request.host", details: "This server does not serve this host name.")
            )
            .response(from: request, context: context)
        }
        let takesFiles = request.method == .post && DeskPaths.takesFiles(request.uri.path)
        if request.method != .put, request.method != .patch, !takesFiles, Self.announcesLargeBody(request) {
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

    /// Over HTTP/2, a body can come without an announcement. The server then reads at most as much as for a file.
    private static func announcesLargeBody(_ request: Request) -> Bool {
        if request.headers[.transferEncoding] != nil { return true }
        guard let length = request.headers[.contentLength] else { return false }
        return Int64(length).map { $0 > Int64(strayBodyBytes) } ?? true
    }
}
