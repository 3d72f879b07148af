import ChatPage
import HTTPTypes
import HoldfastBase
import Hummingbird
import NIOCore

/// A refused request: a status, a stable code, and a sentence. A browser that shows it gets a page, a script JSON.
struct PageFailure: HTTPResponseError, Hashable {
    let status: HTTPResponse.Status
    let code: String
    let text: String
    var title = "This page cannot be shown"
    var detail: [String] = []

    init(_ status: HTTPResponse.Status, _ code: String, _ text: String) {
        self.status = status
        self.code = code
        self.text = text
    }

    init(_ refusal: ChatPageRefusal) {
        self.init(.badGateway, "refused", refusal.text)
        title = refusal.title
        detail = refusal.detail
    }

    static let host = PageFailure(.misdirectedRequest, "host", "This server does not serve this host name.")
    static let crossSite = PageFailure(.forbidden, "crossSite", "The request comes from another page.")
    static let signedOut = PageFailure(
        .forbidden, "signedOut", "You are not signed in. Open the chat from the app again.")
    static let usedToken = PageFailure(
        .forbidden, "usedToken", "The link was used before, or it has expired. Open the chat from the app again.")
    static let foreignLink = PageFailure(
        .forbidden, "foreignLink", "The link is on a page of another site. Open the chat from the app again.")
    static let form = PageFailure(.forbidden, "formToken", "The form is of another session. Load the page again.")
    static let notFound = PageFailure(.notFound, "notFound", "There is nothing at this address.")
    static let tooLarge = PageFailure(.contentTooLarge, "tooLarge", "The request is too large.")
    static let full = PageFailure(
        .serviceUnavailable, "full", "Too many chats are open. Try again in a few minutes.")

    /// Returns a failure for an invalid parameter.
    static func invalid(_ name: String) -> PageFailure {
        PageFailure(.badRequest, "invalid", "The parameter \(name) is missing or not valid.")
    }

    func response(from request: Request, context: some RequestContext) -> Response {
        response(asPage: request.headers[.accept]?.contains("text/html") == true)
    }

    /// Returns the response: a page for people, or an object with the code and the text.
    func response(asPage: Bool) -> Response {
        guard asPage else {
            var printer = JSONPrinter(.compact)
            printer.open("{")
            printer.member("code")
            printer.write(string: code)
            printer.member("text")
            printer.write(string: text)
            printer.close("}")
            return Response(
                status: status, headers: [.contentType: "application/json; charset=utf-8"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: printer.bytes)))
        }
        return Response(
            status: status, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(
                byteBuffer: ByteBuffer(bytes: PageHTML.refusal(title: title, text: text, detail: detail))))
    }
}
