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
