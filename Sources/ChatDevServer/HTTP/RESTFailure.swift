import ChatWire
import Hummingbird

/// A request that is refused: a status, and the protocol's error as JSON.
struct RESTFailure: HTTPResponseError {
    let status: HTTPResponse.Status
    let failure: WireFailure
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ failure: WireFailure, headers: HTTPFields = [:]) {
        self.status = status
        self.failure = failure
        self.headers = headers
    }

    /// A parameter that cannot be what it says.
    static func invalid(_ parameter: String) -> RESTFailure {
        RESTFailure(.badRequest, WireFailure("request.invalid", details: parameter))
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
