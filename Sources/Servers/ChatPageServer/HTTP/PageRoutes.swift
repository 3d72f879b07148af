import ChatCenter
import ChatPage
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServerKit

/// The routes for the page, its files and its forms.
struct PageRoutes: Sendable {
    let access: PageAccess
    let house: SessionHouse
    let time: PageServerTime
    let paths: PagePaths
    /// Where a browser without a session goes; `nil` for a page with the reason.
    let signInURL: String?
    let acceptsLinksFromOtherSites: Bool
    let secondsFromGMT: Int

    /// The maximum size of a form or of an intent in bytes.
    ///
    /// - Error: 413 `tooLarge`
    static let bodyLimit = 64 << 10

    /// Adds the routes to a router.
    func add(to router: Router<PageRequestContext>) {
        router.get(RouterPath(paths.page)) { request, context in try await page(request, context) }
        for file in PageFiles.all {
            router.get(RouterPath(paths.path(file.path))) { request, _ in Self.immutable(file, request) }
        }
        router.get(RouterPath(paths.path("socket"))) { _, _ -> Response in
            throw PageFailure(.upgradeRequired, "upgrade", "This address is for WebSocket connections.")
        }
        router.post(RouterPath(paths.path("intents"))) { request, context in try await intent(request, context) }
        router.post(RouterPath(paths.path("form"))) { request, context in try await form(request, context) }
    }

    // MARK: The page

    private func page(_ request: Request, _ context: PageRequestContext) async throws -> Response {
        guard let origin = context.origin else { throw PageFailure.host }
        if let token = request.uri.queryParameters.get("token") {
            let isForeign = Self.site(of: request) == "cross-site"
            guard acceptsLinksFromOtherSites || !isForeign else { throw PageFailure.foreignLink }
            guard let cookie = access.signIn(token) else { throw PageFailure.usedToken }
            return signedIn(cookie, request, origin)
        }
        guard let browser = context.browser else {
            if let signInURL { return .redirect(to: signInURL) }
            throw PageFailure.signedOut
        }
        return try await house.use(browser.visitor) { session in
            let first = await session.firstPage()
            let html = PageHTML.page(
                first.state,
                PageRequest(
                    basePath: paths.page, formToken: browser.formToken, sessionName: session.name,
                    firstFrame: first.frame?.bytes ?? Array("{}".utf8), notice: first.notice, now: time.wall(),
                    secondsFromGMT: secondsFromGMT, messageID: UUID().uuidString.lowercased()))
            return Self.html(html)
        }
    }

    /// Sets the cookie and leads to the page, so that the token is not in the browser's address.
    ///
    /// After a link from another site, a browser would not send a new `SameSite=Strict` cookie along a redirect. It
    /// sends the cookie with a request that a page of this server causes.
    private func signedIn(_ cookie: String, _ request: Request, _ origin: WebOrigin) -> Response {
        var response: Response
        if Self.site(of: request) == "cross-site" {
            response = Self.html(
                PageHTML.refusal(
                    title: ChatTextKey.serverOpeningTitle.currentText, text: ChatTextKey.serverOpening.currentText,
                    detail: [], language: ChatTextKey.currentLanguage))
            if let name = HTTPField.Name("Refresh") { response.headers[name] = "0; url=\(paths.page)" }
        } else {
            response = .redirect(to: paths.page)
        }
        response.headers[.setCookie] = access.cookie(at: origin).setting(cookie)
        return response
    }

    private static func site(of request: Request) -> String? {
        HTTPField.Name("Sec-Fetch-Site").flatMap { request.headers[$0] }
    }

    /// Returns a file of the page. With the digest in the address, the browser never asks again.
    private static func immutable(_ file: PageFile, _ request: Request) -> Response {
        let isCurrent = request.uri.queryParameters.get("v") == file.digest
        return Response(
            status: .ok,
            headers: [
                .contentType: file.contentType,
                .cacheControl: isCurrent ? "public, max-age=31536000, immutable" : "no-cache",
            ], body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
    }

    static func html(_ bytes: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "text/html; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }

    // MARK: Intents

    private func intent(_ request: Request, _ context: PageRequestContext) async throws -> Response {
        let browser = try context.requireBrowser()
        guard browser.accepts(HTTPField.Name("X-Chat-Form").flatMap({ request.headers[$0] })) else {
            throw PageFailure.form
        }
        guard let type = request.headers[.contentType], HeaderValue(type).name == "application/json" else {
            throw PageFailure(.unsupportedMediaType, "contentType", "An intent must be application/json.")
        }
        let bytes = try await Self.body(of: request)
        do {
            let client = try PageSession.client(of: bytes)
            let answer = try await house.use(browser.visitor) { session in
                try await session.receive(bytes, from: client)
            }
            // The same intent is being performed for an earlier request. Its answer follows there.
            guard let answer else { return Response(status: .accepted) }
            return Self.json(answer.bytes)
        } catch let error as PageProtocolError {
            if let answer = error.answer { return Self.json(answer.bytes) }
            throw PageFailure(error)
        }
    }

    /// Performs the intent of a form, and leads back to the page. The page shows the reason of a refusal.
    private func form(_ request: Request, _ context: PageRequestContext) async throws -> Response {
        let browser = try context.requireBrowser()
        guard let type = request.headers[.contentType],
            HeaderValue(type).name == "application/x-www-form-urlencoded"
        else {
            throw PageFailure(.unsupportedMediaType, "contentType", "A form must be urlencoded.")
        }
        let fields = try FormFields(urlencoded: try await Self.body(of: request))
        guard browser.accepts(fields["form"]) else { throw PageFailure.form }
        let intent = try Self.intent(fields) { UUID().uuidString.lowercased() }
        try await house.use(browser.visitor) { session in
            await session.glance()
            await session.performForm(intent)
        }
        return .redirect(to: paths.page)
    }

    /// Reads the intent of a form without JavaScript.
    ///
    /// - Parameter makeID: Returns a new message id, for a form without one.
    static func intent(_ fields: FormFields, makeID: () -> String) throws -> PageIntent {
        var values = fields.values
        values["text"] = fields.text("text")
        if values["id"]?.isEmpty ?? true { values["id"] = makeID() }
        switch try PageIntent(name: fields["intent"] ?? "", form: values) {
        // Only a page with a script knows what the visitor does apart from forms.
        case .appeared, .disappeared, .typed, .opened: throw PageFailure.invalid("intent")
        case let intent: return intent
        }
    }

    private static func body(of request: Request) async throws -> [UInt8] {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > bodyLimit {
            throw PageFailure.tooLarge
        }
        var bytes: [UInt8] = []
        for try await chunk in request.body {
            guard bytes.count + chunk.readableBytes <= bodyLimit else { throw PageFailure.tooLarge }
            bytes += chunk.readableBytesView
        }
        return bytes
    }

    static func json(_ bytes: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "application/json; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}

/// The paths of the page, below the app's base path.
struct PagePaths: Hashable, Sendable {
    /// The path of the page itself; ends with a slash.
    let page: String

    /// Creates paths below a base path, such as `/support`; empty for the root.
    init(basePath: String) {
        page = basePath + "/"
    }

    /// Returns the path of a file or route below the base path.
    func path(_ name: String) -> String { page + name }
}

extension PageFailure {
    /// Creates a failure from an error of the page protocol.
    init(_ error: PageProtocolError) {
        let status: HTTPResponse.Status =
            switch error.code {
            case .wrongSession, .outOfOrder, .replayed: .conflict
            case .tooManyPending: .tooManyRequests
            case .tooLarge: .contentTooLarge
            default: .badRequest
            }
        self.init(status, error.code.rawValue, error.reason)
    }
}
