import ChatServerCore
import ChatWire
import HTTPTypes
import Hummingbird
import NIOCore
import ServerKit
import ServerMarkup

/// A refused request of the desk: a page with the reason, or JSON for the desk's script.
struct DeskFailure: Error {
    let status: HTTPResponse.Status
    let code: String
    let reason: String
    var retryAfter: Int64?

    init(_ status: HTTPResponse.Status, _ code: String, _ reason: String, retryAfter: Int64? = nil) {
        self.status = status
        self.code = code
        self.reason = reason
        self.retryAfter = retryAfter
    }

    init(_ refusal: OperatorRefusal) {
        self.init(refusal.status, refusal.code.rawValue, refusal.reason)
    }

    init(_ failure: RESTFailure) {
        self.init(failure.status, failure.failure.error, Self.sentence(failure.failure))
    }

    private static func sentence(_ failure: ErrorAnswer) -> String {
        switch failure {
        case .restrictedFileSize: "The file is larger than the server allows."
        case .restrictedFileType: "The server does not allow files of this type."
        case .fileNotFound: "The file does not exist."
        default: failure.details ?? "The request failed: \(failure.error)."
        }
    }

    static let crossSite = DeskFailure(
        .forbidden, "desk.cross-site", "The request comes from a page of another site.")
    static let staleForm = DeskFailure(
        .forbidden, "desk.form", "The form is too old or does not come from this desk. Load the page again.")
    static let malformed = DeskFailure(.badRequest, "form.malformed", "The form is malformed or repeats a field.")
    static let signedOut = DeskFailure(.unauthorized, "desk.signed-out", "Sign in to use the desk.")
    static let unavailable = DeskFailure(
        .serviceUnavailable, "server.unavailable", "The server is stopping, or cannot write its database.")

    /// Returns the response, as JSON or as a page.
    func response(asJSON: Bool) -> Response {
        var response: Response
        if asJSON {
            response = .desk(
                json: ["result": "refused", "code": .string(code), "text": .string(reason)], status: status)
        } else {
            response = .desk(DeskPages.refusal(reason), status: status)
        }
        if let retryAfter { response.headers[.retryAfter] = String(retryAfter) }
        return response
    }
}

/// The header fields of the desk's responses.
enum DeskHeaders {
    static let form = name("X-Desk-Form")
    static let lastEventID = name("Last-Event-ID")

    /// Returns the fields of a response with this content type.
    static func fields(_ contentType: String, isImmutable: Bool = false) -> HTTPFields {
        var fields: HTTPFields = [.contentType: contentType]
        if isImmutable { fields[.cacheControl] = "public, max-age=31536000, immutable" }
        SecurityHeaders.add(to: &fields)
        return fields
    }

    /// Returns the name of a field. The names in this file are tokens.
    private static func name(_ text: String) -> HTTPField.Name {
        HTTPField.Name(text) ?? .server
    }
}

extension Response {
    /// Returns a page of the desk.
    static func desk(_ page: HTML, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: DeskHeaders.fields("text/html; charset=utf-8"),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: page.bytes)))
    }

    /// Returns JSON for the desk's script.
    static func desk(json object: JSONObject, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: DeskHeaders.fields("application/json; charset=utf-8"),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: JSONValue.object(object).bytes)))
    }

    /// Returns a redirection after a form.
    static func desk(redirectTo path: String) -> Response {
        var headers = DeskHeaders.fields("text/plain; charset=utf-8")
        headers[.location] = path
        return Response(status: .seeOther, headers: headers)
    }
}
