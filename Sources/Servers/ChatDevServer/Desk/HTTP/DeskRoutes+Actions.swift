import ChatServerCore
import ChatWire
import HTTPTypes
import Hummingbird
import NIOCore
import ServerKit
import Synchronization

/// The forms of the desk. Each needs a session, the token of its forms, and a page of this desk.
extension DeskRoutes {
    func addActions(to router: Router<ServerRequestContext>) {
        router.post(RouterPath(DeskPaths.signOut)) { request, context in
            await answer(request, context) {
                let session = try session(of: request)
                try gate.requireForm(try await token(request, Self.fields(of: request)), of: session)
                if let session = gate.signOut(request) { await driver.endDesks(of: session.number) }
                var response = Response.desk(redirectTo: DeskPaths.signIn)
                response.headers[.setCookie] = gate.cookie(DeskCookie.session, nil, request)
                return response
            }
        }
        form("notes", in: router) { fields in
            .notes(id: fields["id"] ?? "", text: fields.text("text") ?? "")
        }
        form("claim", in: router) { .claims(from: $0["from"]) }
        form("release", in: router) { _ in .releases }
        form("close", in: router) { .closes($0["survey"] == "yes" ? .deskSurvey : nil) }
        form("read", in: router) { .reads(through: $0["through"] ?? "") }
        form("typing", in: router) { _ in .types }
        router.post(RouterPath(DeskPaths.root + "/conversations/:client/replies")) { request, context in
            await answer(request, context) { try await reply(request, context) }
        }
    }

    /// Adds a form with one action in a conversation.
    private func form(
        _ name: String, in router: Router<ServerRequestContext>,
        _ action: @escaping @Sendable (FormFields) -> DeskAction
    ) {
        router.post(RouterPath(DeskPaths.root + "/conversations/:client/" + name)) { request, context in
            await answer(request, context) {
                let session = try session(of: request)
                let clientID = try Self.client(context)
                let fields = try await Self.fields(of: request)
                try gate.requireForm(token(request, fields), of: session)
                return try await perform(action(fields), in: clientID, session, request)
            }
        }
    }

    /// Returns the session of a request that changes something.
    private func session(of request: Request) throws(DeskFailure) -> DeskSession {
        try gate.requireOwnPage(request)
        guard let session = gate.session(of: request) else { throw .signedOut }
        return session
    }

    /// Returns the token that a form contains, or that the desk's script has put into the header.
    private func token(_ request: Request, _ fields: FormFields) -> String? {
        request.headers[DeskHeaders.form] ?? fields["form"]
    }

    /// Executes an action. A page is shown again, with the reason if the action was refused.
    private func perform(
        _ action: DeskAction, in clientID: String, _ session: DeskSession, _ request: Request, text: String? = nil
    ) async throws(DeskFailure) -> Response {
        do throws(DeskFailure) {
            let answer = try await ask(.act(action, clientID: clientID, by: session.operator))
            guard !Self.isPage(request) else { return .desk(redirectTo: DeskPaths.conversation(clientID)) }
            var object: JSONObject = ["result": "done"]
            if case .done(let messageID) = answer { object.set("message", messageID) }
            return .desk(json: object)
        } catch {
            guard Self.isPage(request), error.status != .notFound else { throw error }
            return try await desk(session, clientID: clientID, .newest, text: text, failure: error)
        }
    }

    // MARK: Replies

    /// Sends a reply with its files. Nothing is stored before the form's token was checked, and nothing of a reply that
    /// was refused, or that had been sent before, stays stored.
    private func reply(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let session = try session(of: request)
        let clientID = try Self.client(context)
        guard case .row(let row) = try await ask(.row(clientID: clientID)) else { throw DeskFailure.unavailable }
        if let assignee = row.assignee, assignee.id != session.operator.id {
            throw DeskFailure(.conflict, "assigned", "The conversation is assigned to \(assignee.name).")
        }
        var records: [FileRecord] = []
        let result: Result<Response, any Error>
        do {
            result = .success(try await send(request, in: clientID, session, &records))
        } catch {
            result = .failure(error)
        }
        await files.library.discardUnsent(records.map(\.fileID))
        return try result.get()
    }

    /// Sends a reply. Adds the files to `records` when they are stored.
    private func send(
        _ request: Request, in clientID: String, _ session: DeskSession, _ records: inout [FileRecord]
    ) async throws -> Response {
        var fields = FormFields()
        do {
            try await read(request, session, &fields, &records)
        } catch is FileSpace.Full {
            throw DeskFailure(FileRoutes.full)
        } catch is FormFields.Malformed {
            throw DeskFailure.malformed
        } catch let error as MultipartError {
            throw DeskFailure(.badRequest, "form.malformed", error.description)
        }
        try gate.requireForm(token(request, fields), of: session)
        if let index = fields["canned"].flatMap({ Int($0) }), canned.indices.contains(index) {
            for file in canned[index].files { records.append(try await keep(file)) }
        }
        let text = fields.text("text") ?? ""
        let content = Content(
            .message, uuid: fields["id"].map { "desk-" + $0 }, text: text.isEmpty ? nil : text,
            attachments: records.map { record in
                Attachment(
                    result: record.fileID, name: record.name, type: record.type, size: record.size, state: .ready)
            })
        return try await perform(.says(content), in: clientID, session, request, text: text)
    }

    /// Reads a form with files. The files are stored while they are received.
    private func read(
        _ request: Request, _ session: DeskSession, _ fields: inout FormFields, _ records: inout [FileRecord]
    ) async throws {
        let rules = driver.uploadRules.withLock { $0 }
        var limits = MultipartLimits()
        limits.parts = FormFields.limit
        var form = try FormReader(
            body: request.body, contentType: request.headers[.contentType] ?? "", limits: limits)
        // The files have their own limit.
        var budget = FileRoutes.formOverhead
        var current: (name: String, bytes: [UInt8])?
        while let event = try await form.next() {
            switch event {
            case .began(let part):
                current = nil
                guard let fileName = part.fileName else {
                    current = (part.name, [])
                    continue
                }
                // A browser sends an empty file for a field without a selected file.
                guard !fileName.isEmpty else { continue }
                try gate.requireForm(token(request, fields), of: session)
                records.append(try await files.receive(part, named: fileName, rules, from: &form, isUnsent: true))
            case .data(let data):
                budget -= Int64(data.readableBytes)
                guard budget > 0 else {
                    throw DeskFailure(.contentTooLarge, "request.too-large", "The form is too large.")
                }
                current?.bytes += data.readableBytesView
            case .ended:
                if let (name, bytes) = current { try fields.add(name, String(decoding: bytes, as: UTF8.self)) }
                current = nil
            case .finished: continue
            }
        }
    }

    /// Stores a copy of a canned answer's file.
    private func keep(_ file: CannedAnswer.File) async throws -> FileRecord {
        var rest: ByteBuffer? = ByteBuffer(bytes: file.bytes)
        do {
            return try await files.library.add(name: file.name, type: file.type, isUnsent: true) {
                defer { rest = nil }
                return rest
            }
        } catch is FileSpace.Full {
            throw DeskFailure(FileRoutes.full)
        }
    }
}

extension Survey {
    /// The survey that the desk sends before it closes a conversation.
    static let deskSurvey = Survey(
        id: 1, sendingID: 1, hideAfter: 86_400,
        questions: [
            SurveyQuestion(
                id: 1, sendingID: 1, text: "How satisfied are you with our answers?", scale: 5, simple: false,
                minValue: 1, maxValue: 5, surveyViewType: "SCALE", clientCommentThreshold: 3)
        ])
}
