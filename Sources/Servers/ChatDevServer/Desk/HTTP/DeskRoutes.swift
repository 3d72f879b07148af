import ChatServerCore
import ChatWire
import HTTPTypes
import Hummingbird
import NIOCore
import ServerKit
import ServerMarkup

/// The routes of the operator desk. `DeskRoutes+Actions.swift` has the forms, `DeskStream.swift` the stream.
struct DeskRoutes: Sendable {
    let driver: ChatServerDriver
    let files: FileRoutes
    let gate: DeskGate
    let canned: [CannedAnswer]
    let stream: DeskStreamSettings
    let textLength: Int

    /// The maximum size of a form without files, in bytes.
    static let formBytes = FailureMiddleware.strayBodyBytes

    /// Adds the routes to a router.
    func add(to router: Router<ServerRequestContext>) {
        for file in DeskFiles.all {
            router.get(RouterPath("\(DeskPaths.root)/\(file.name)")) { request, context in
                await answer(request, context) {
                    let isVersioned = try FormFields(query: request.uri.query ?? "")["v"] != nil
                    return Response(
                        status: .ok, headers: DeskHeaders.fields(file.contentType, isImmutable: isVersioned),
                        body: ResponseBody(byteBuffer: ByteBuffer(bytes: file.bytes)))
                }
            }
        }
        router.get(RouterPath(DeskPaths.signIn)) { request, context in
            await answer(request, context) { signInPage(request) }
        }
        router.post(RouterPath(DeskPaths.signIn)) { request, context in
            await answer(request, context) { try await signIn(request, context) }
        }
        page(DeskPaths.root, in: router) { _, _, session in
            try await desk(session, clientID: nil, .newest)
        }
        page(DeskPaths.root + "/conversations/:client", in: router) { request, context, session in
            let fields = try FormFields(query: request.uri.query ?? "")
            let clientID = try Self.client(context)
            let bound: DeskBound =
                switch (fields["before"], fields["after"], fields["around"]) {
                case (let id?, _, _): .before(id)
                case (_, let id?, _): .after(id)
                case (_, _, let id?): .around(id)
                default: .newest
                }
            return try await desk(session, clientID: clientID, bound, canned: fields["canned"].flatMap { Int($0) })
        }
        page(DeskPaths.search, in: router) { request, _, session in
            let query = try FormFields(query: request.uri.query ?? "")["q"] ?? ""
            guard case .results(let results) = try await ask(.search(query)) else { throw DeskFailure.unavailable }
            return .desk(pages(session).results(results, for: query))
        }
        page(DeskPaths.events, in: router) { request, context, session in
            try follow(request, session, on: context.channel)
        }
        page(DeskPaths.files + "/:file", in: router) { request, context, _ in try await file(request, context) }
        addActions(to: router)
    }

    // MARK: Requests

    /// Adds a route for operators who have signed in. Others are sent to the sign-in form.
    private func page(
        _ path: String, in router: Router<ServerRequestContext>,
        _ body: @escaping @Sendable (Request, ServerRequestContext, DeskSession) async throws -> Response
    ) {
        router.get(RouterPath(path)) { request, context in
            await answer(request, context) {
                guard let session = gate.session(of: request) else {
                    guard !Self.isPage(request) else { return .desk(redirectTo: DeskPaths.signIn) }
                    throw DeskFailure.signedOut
                }
                return try await body(request, context, session)
            }
        }
    }

    /// Answers a request that may reach the desk, or with the reason why it may not.
    func answer(
        _ request: Request, _ context: ServerRequestContext, _ body: () async throws -> Response
    ) async -> Response {
        do {
            try gate.admit(request, context)
            return try await body()
        } catch let failure as DeskFailure {
            return failure.response(asJSON: !Self.isPage(request))
        } catch let failure as RESTFailure {
            return DeskFailure(failure).response(asJSON: !Self.isPage(request))
        } catch {
            return DeskFailure(.badRequest, "request.failed", "The request could not be read.")
                .response(asJSON: !Self.isPage(request))
        }
    }

    /// Returns whether a browser shows the response as a page.
    static func isPage(_ request: Request) -> Bool { request.headers[.accept]?.contains("text/html") ?? false }

    /// Returns the client id in a path.
    static func client(_ context: ServerRequestContext) throws(DeskFailure) -> String {
        guard let text = context.parameters.get("client"), let clientID = PercentDecoding.text(text) else {
            throw DeskFailure(.badRequest, "request.invalid", "The address contains no readable client.")
        }
        return clientID
    }

    /// Sends a request to the core. Throws the refusal, if there is one.
    func ask(_ request: DeskRequest) async throws(DeskFailure) -> DeskAnswer {
        guard let answer = await driver.askDesk(request) else { throw .unavailable }
        if let refusal = answer.refusal { throw DeskFailure(refusal) }
        return answer
    }

    func pages(_ session: DeskSession) -> DeskPages {
        DeskPages(
            renderer: DeskRenderer(session: session, now: gate.now.wall), canned: canned, textLength: textLength)
    }

    // MARK: Pages

    /// Returns the inbox, with a conversation if one is selected.
    func desk(
        _ session: DeskSession, clientID: String?, _ bound: DeskBound, canned: Int? = nil, text: String? = nil,
        failure: DeskFailure? = nil
    ) async throws(DeskFailure) -> Response {
        _ = try await ask(.sits(.page(session: session.number), session.operator, clientID: clientID))
        // The inbox is read first. A change between both answers is then sent again by the stream, and not lost.
        guard case .inbox(let inbox) = try await ask(.inbox) else { throw .unavailable }
        var opened: DeskPages.Opened?
        if let clientID {
            guard case .conversation(let conversation) = try await ask(.conversation(clientID: clientID, bound)) else {
                throw .unavailable
            }
            opened = DeskPages.Opened(
                conversation: conversation, canned: canned, text: text, nextID: gate.random(),
                nextNoteID: gate.random())
        }
        let page = pages(session).desk(inbox, opened, notice: failure?.reason)
        return .desk(page, status: failure?.status ?? .ok)
    }

    private func file(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        guard let fileID = context.parameters.get("file"), FileLibrary.isIdentifier(fileID),
            let file = try await files.library.file(fileID)
        else { throw RESTFailure(.notFound, .fileNotFound) }
        var response = try await files.response(with: file, request, context)
        response.headers[.contentSecurityPolicy] = SecurityHeaders.filePolicy
        response.headers[.cacheControl] = "private, max-age=3600"
        SecurityHeaders.add(to: &response.headers)
        let isInline = try FormFields(query: request.uri.query ?? "")["inline"] != nil
        if isInline, DeskRenderer.shownTypes.contains(file.type.lowercased()) {
            response.headers[.contentDisposition] = "inline"
        }
        return response
    }

    // MARK: Sessions

    private func signInPage(_ request: Request, _ failure: DeskFailure? = nil, name: String = "") -> Response {
        let token = gate.signInToken()
        var response = Response.desk(
            DeskPages.signIn(form: token, name: name, notice: failure?.reason), status: failure?.status ?? .ok)
        response.headers[.setCookie] = gate.cookie(DeskCookie.form, token, request)
        if let seconds = failure?.retryAfter { response.headers[.retryAfter] = String(seconds) }
        return response
    }

    private func signIn(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        try gate.requireOwnPage(request)
        let fields = try await Self.fields(of: request)
        do throws(DeskFailure) {
            var response = Response.desk(redirectTo: DeskPaths.root)
            response.headers[values: .setCookie] = [
                try gate.signIn(fields, request, context), gate.cookie(DeskCookie.form, nil, request),
            ].compactMap(\.self)
            return response
        } catch {
            guard Self.isPage(request) else { throw error }
            return signInPage(request, error, name: fields["name"] ?? "")
        }
    }

    /// Returns the fields of a form without files.
    static func fields(of request: Request) async throws(DeskFailure) -> FormFields {
        let body: ByteBuffer
        do {
            var request = request
            body = try await request.collectBody(upTo: formBytes)
        } catch {
            throw DeskFailure(.contentTooLarge, "request.too-large", "The form is too large.")
        }
        do throws(FormFields.Malformed) {
            return try FormFields(urlencoded: body.readableBytesView)
        } catch {
            throw .malformed
        }
    }
}
