import ChatServerCore
import ChatWire
import Hummingbird

/// A request that is refused: a status, and the protocol's error as JSON.
struct RESTFailure: HTTPResponseError {
    let status: HTTPResponse.Status
    let failure: ErrorAnswer
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ failure: ErrorAnswer, headers: HTTPFields = [:]) {
        self.status = status
        self.failure = failure
        self.headers = headers
    }

    /// An answer of the core that says no.
    init(_ answer: ServerAnswer) {
        switch answer {
        case .failure(let status, let failure): self.init(.init(code: status), failure)
        case .refused(let status, let failure, let retryAfter):
            self.init(.init(code: status), failure, headers: [.retryAfter: String(retryAfter)])
        default: self.init(.internalServerError, ErrorAnswer("server.unexpected"))
        }
    }

    /// A parameter that cannot be what it says.
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
    /// A JSON answer.
    static func json(_ bytes: [UInt8], status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
