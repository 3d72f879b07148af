import HTTPTypes
import HoldfastBase
import HoldfastTrust
import HummingbirdCore
import NIOCore
import PinReports

/// An answer: a status and JSON.
struct CollectorAnswer: Sendable {
    var status: HTTPResponse.Status
    var json: JSONNode.Value
    var headers: HTTPFields

    init(_ status: HTTPResponse.Status, _ json: JSONNode.Value, headers: HTTPFields = [:]) {
        self.status = status
        self.json = json
        self.headers = headers
    }

    /// Returns the response, with the clock's time.
    func response(at time: Timestamp) -> Response {
        var headers = headers
        headers[.contentType] = "application/json; charset=utf-8"
        headers[.cacheControl] = "no-store"
        headers[.xContentTypeOptions] = "nosniff"
        headers[.server] = "holdfast"
        if let date = HTTPDate(seconds: time.secondsSince1970) { headers[.date] = date.description }
        return Response(
            status: status, headers: headers,
            body: ResponseBody(byteBuffer: ByteBuffer(string: JSONWriter.text(json))))
    }
}

extension RequestRefusal {
    /// The answer to the request.
    var answer: CollectorAnswer { CollectorAnswer(status, json, headers: headers) }
}
