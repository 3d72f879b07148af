import HTTPTypes
import HoldfastBase
import HoldfastTrust
import HummingbirdCore
import NIOCore
import PinReportDesk
import PinReports
import ServerKit
import ServerMarkup

/// A refused request of the desk: a page with the reason, or JSON.
struct DeskFailure: Error {
    let status: HTTPResponse.Status
    /// The stable code, safe as a metric label.
    let code: String
    let reason: String
    var headers: HTTPFields = [:]

    init(_ status: HTTPResponse.Status, _ code: String, _ reason: String, headers: HTTPFields = [:]) {
        self.status = status
        self.code = code
        self.reason = reason
        self.headers = headers
    }

    init(_ refusal: RequestRefusal) {
        self.init(refusal.status, refusal.code, refusal.reason, headers: refusal.headers)
    }

    static let staleForm = DeskFailure(
        .forbidden, "form", "The form is too old or does not come from this desk. Load the page again.")
    static let signedOut = DeskFailure(.unauthorized, "signedOut", "Sign in to use the desk.")
    static let notFound = DeskFailure(.notFound, "notFound", "There is nothing at this path.")

    /// Returns the response, as a page or as JSON.
    func response(asPage: Bool) -> Response {
        var response: Response
        if asPage {
            response = .desk(page: ReportDeskPages.refusal(reason), status: status)
        } else {
            response = .desk(
                json: .fields([("error", .string(code)), ("reason", .string(reason))]), status: status)
        }
        for field in headers { response.headers[field.name] = field.value }
        return response
    }
}

extension Response {
    private static let policy =
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        + "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

    /// Returns a page of the desk.
    static func desk(page: HTML, status: HTTPResponse.Status = .ok) -> Response {
        desk(page.bytes, "text/html; charset=utf-8", status: status)
    }

    /// Returns JSON, for programs and downloads.
    static func desk(json: JSONNode.Value, status: HTTPResponse.Status = .ok) -> Response {
        desk(Array(JSONWriter.text(json).utf8), "application/json; charset=utf-8", status: status)
    }

    /// Returns a body of a type.
    static func desk(_ bytes: [UInt8], _ contentType: String, status: HTTPResponse.Status = .ok) -> Response {
        Response(
            status: status, headers: deskFields(contentType),
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    /// Returns a redirection.
    static func desk(redirectTo path: String) -> Response {
        var response = desk([], "text/plain; charset=utf-8", status: .seeOther)
        response.headers[.location] = path
        return response
    }

    /// Returns the fields that every response of the desk has.
    static func deskFields(_ contentType: String) -> HTTPFields {
        var fields: HTTPFields = [
            .contentType: contentType, .contentSecurityPolicy: policy, .cacheControl: "no-store",
            .server: "holdfast",
        ]
        SecurityHeaders.add(to: &fields)
        return fields
    }

    /// Offers the body as a file to save.
    mutating func offer(as name: String) {
        headers[.contentDisposition] = "attachment; filename=\"\(name)\""
    }
}
