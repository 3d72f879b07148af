import ChatCenter
import ChatCenterCore
import ChatPage
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import ServerKit

/// The route for uploads. A file is streamed to a private file, handed to the SDK, which copies it, and deleted.
struct UploadRoutes: Sendable {
    let house: SessionHouse
    let paths: PagePaths
    let files: ReceivedFiles
    /// The maximum size of a file in bytes. The chat server's own limit may be smaller.
    let maximumBytes: Int64
    let gate = Gate(.uploads, 16, perVisitor: 4)

    /// The maximum size of a form without its file, in bytes.
    static let formOverhead: Int64 = 64 << 10

    /// Adds the routes to a router.
    func add(to router: Router<PageRequestContext>) {
        router.post(RouterPath(paths.path("files"))) { request, context in
            let browser = try context.requireBrowser()
            let answer = try await gate.pass(browser.visitor) {
                try await house.use(browser.visitor) { session in
                    try await receive(request, browser, session)
                }
            }
            if request.headers[.accept]?.contains("application/json") == true {
                return PageRoutes.json(answer.bytes)
            }
            return .redirect(to: paths.page)
        }
    }

    private func receive(
        _ request: Request, _ browser: PageAccess.Browser, _ session: VisitorSession
    ) async throws -> PageFrame {
        let limits = session.screen.attachmentLimits
        let fileLimit = min(limits.maximumBytes, maximumBytes)
        let budget = fileLimit + Self.formOverhead
        if let length = request.headers[.contentLength].flatMap({ Int64($0) }), length > budget {
            throw PageFailure.tooLarge
        }
        do {
            var form = try FormReader(body: request.body, contentType: request.headers[.contentType] ?? "")
            var fields = FormFields()
            var received: ReceivedFiles.File?
            defer { if let received { files.remove(received) } }
            var left = Self.formOverhead
            var isAllowed = browser.accepts(HTTPField.Name("X-Chat-Form").flatMap { request.headers[$0] })
            while let event = try await form.next() {
                guard case .began(let part) = event else { continue }
                if part.fileName == nil {
                    var value: [UInt8] = []
                    while let data = try await form.nextData() {
                        left -= Int64(data.readableBytes)
                        guard left > 0 else { throw PageFailure.tooLarge }
                        value += data.readableBytesView
                    }
                    try fields.add(part.name, String(decoding: value, as: UTF8.self))
                    if part.name == "form" { isAllowed = isAllowed || browser.accepts(fields["form"]) }
                    continue
                }
                // Nothing is stored before the form has proved where it comes from.
                guard isAllowed else { throw PageFailure.form }
                guard received == nil else { throw PageFailure.invalid("file") }
                let name = FileNames.display(part.fileName ?? "")
                if let refusal = limits.refusal(ofFileNamed: name) {
                    throw PageFailure(.unsupportedMediaType, "fileType", "\(refusal)")
                }
                received = try await files.receive(
                    name: name, type: MediaTypeName.sanitized(part.contentType), limit: fileLimit
                ) { try await form.nextData() }
            }
            guard isAllowed else { throw PageFailure.form }
            guard let received, received.size > 0 || !received.name.isEmpty else { throw PageFailure.invalid("file") }
            return try await send(received, fields, session)
        } catch let error as MultipartError {
            throw PageFailure(.badRequest, "form", error.description)
        }
    }

    private func send(
        _ file: ReceivedFiles.File, _ fields: FormFields, _ session: VisitorSession
    ) async throws -> PageFrame {
        let id = fields["id"].flatMap { $0.isEmpty ? nil : $0 } ?? UUID().uuidString.lowercased()
        guard PageIntent.isNewID(id) else { throw PageFailure.invalid("id") }
        let duration = fields["durationMilliseconds"].flatMap { Int64($0) }.map { min(max($0, 0), 86_400_000) }
        let text = fields.text("text").flatMap { $0.isEmpty ? nil : $0 }
        let answer = await session.attach(
            URL(fileURLWithPath: file.path), id: MessageID(id), name: file.name, type: file.type, text: text,
            durationMilliseconds: duration)
        await session.glance()
        // A visitor who has cancelled needs no notice.
        if case .refused(let code, let text) = answer, code != "cancelled" { await session.setNotice(text) }
        return await session.answer(answer, to: fields["client"].flatMap { PagePlace.isValid($0) ? $0 : nil } ?? "form")
    }
}
