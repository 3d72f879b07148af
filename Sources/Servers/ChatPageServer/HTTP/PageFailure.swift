import ChatCenter
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
    var title: String
    var detail: [String] = []

    init(_ status: HTTPResponse.Status, _ code: String, _ text: String) {
        self.status = status
        self.code = code
        self.text = text
        title = ChatTextKey.serverNoPage.currentText
    }

    /// Creates a failure with a text for the visitor, in the language of the chat.
    init(_ status: HTTPResponse.Status, _ code: String, _ key: ChatTextKey) {
        self.init(status, code, key.currentText)
    }

    init(_ refusal: ChatPageRefusal) {
        self.init(.badGateway, "refused", refusal.text)
        title = refusal.title
        detail = refusal.detail
    }

    static var host: PageFailure {
        PageFailure(.misdirectedRequest, "host", "This server does not serve this host name.")
    }
    static var crossSite: PageFailure { PageFailure(.forbidden, "crossSite", .serverForeignRequest) }
    static var signedOut: PageFailure { PageFailure(.forbidden, "signedOut", .serverNotSignedIn) }
    static var usedToken: PageFailure { PageFailure(.forbidden, "usedToken", .serverUsedLink) }
    static var foreignLink: PageFailure { PageFailure(.forbidden, "foreignLink", .serverForeignLink) }
    static var form: PageFailure { PageFailure(.forbidden, "formToken", .serverForeignForm) }
    static var notFound: PageFailure { PageFailure(.notFound, "notFound", .serverNotFound) }
    static var tooLarge: PageFailure { PageFailure(.contentTooLarge, "tooLarge", .serverTooLarge) }
    static var full: PageFailure { PageFailure(.serviceUnavailable, "full", .serverFull) }
    static var busy: PageFailure { PageFailure(.serviceUnavailable, "busy", .serverBusy) }
    static var prefetch: PageFailure { PageFailure(.serviceUnavailable, "prefetch", .serverPrefetch) }

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
                byteBuffer: ByteBuffer(
                    bytes: PageHTML.refusal(
                        title: title, text: text, detail: detail, language: ChatTextKey.currentLanguage))))
    }
}
