import ChatServerCore
import ChatWire
import HTTPTypes
import Hummingbird
import NIOCore
import ServerKit
import Synchronization

/// Resumable uploads over several connections (draft-ietf-httpbis-resumable-upload). The body is the file itself, its
/// name is in `Content-Disposition`, and the last response is that of a plain upload.
///
/// The server does not send `104`. It asks clients for parts of 1 MiB, and the response to the first part contains the
/// upload's URL.
struct ResumableRoutes: Sendable {
    let files: FileRoutes
    private let uploads = UnfinishedUploads()

    private var library: FileLibrary { files.library }
    private static let path = RouterPath(ServerPaths.uploads + "/:upload")

    /// Adds all routes except the one that begins an upload.
    func add(to router: Router<ServerRequestContext>) {
        router.on(RouterPath(ServerPaths.files), method: .options) { request, _ in
            try await files.authorise(.upload, request)
            return Response(status: .noContent, headers: ResumableUploadFields.answer(limit: rules.maximumBytes))
        }
        router.head(Self.path) { request, context in try await tell(request, context) }
        router.patch(Self.path) { request, context in try await append(request, context) }
        router.delete(Self.path) { request, context in try await cancel(request, context) }
    }

    private var rules: UploadRules { files.driver.uploadRules.withLock { $0 } }

    // MARK: Requests

    /// Begins an upload.
    func create(_ request: Request) async throws -> Response {
        try await files.authorise(.upload, request)
        guard request.headers[ResumableUploadFields.Name.version] == ResumableUploadFields.version else {
            throw RESTFailure(
                .badRequest, ErrorAnswer("upload.version", details: "This server supports interop version 6."),
                headers: ResumableUploadFields.answer())
        }
        let rules = rules
        let name = Self.fileName(request.headers[.contentDisposition])
        guard rules.allows(name: name) else { throw RESTFailure(.unsupportedMediaType, .restrictedFileType) }
        let length = request.headers[ResumableUploadFields.Name.length] == nil ? nil : try integer(.length, request)
        guard length ?? 0 <= rules.maximumBytes else { throw RESTFailure(.contentTooLarge, .restrictedFileSize) }
        let isLast = try isLast(request)
        guard !library.space.isFull else { throw FileRoutes.full }
        let upload = UnfinishedUpload(
            id: library.newIdentifier(), clientID: Caller(headers: request.headers).clientID,
            name: String(name.prefix(255)), type: MediaTypeName.sanitized(request.headers[.contentType]),
            length: length)
        if let forgotten = uploads.begin(upload) { await library.discard(forgotten) }
        return try await receive(request, upload.id, at: 0, isLast: isLast, status: .created)
    }

    /// Returns the number of received bytes. A request that is still in progress loses its right to write, so that the
    /// number stays correct. A complete upload is not reported as complete: the client then repeats the last part,
    /// empty, to get the response.
    private func tell(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let (id, clientID) = try await upload(request, context)
        let offset = uploads.with(id, of: clientID) { upload in
            _ = upload.takeOver()
            return upload.offset
        }
        guard let offset else { throw Self.unknown }
        var headers = ResumableUploadFields.answer(offset: offset, isComplete: false, limit: rules.maximumBytes)
        headers[.cacheControl] = "no-store"
        return Response(status: .noContent, headers: headers)
    }

    private func append(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let (id, clientID) = try await upload(request, context)
        guard request.headers[.contentType].map({ HeaderValue($0).name }) == "application/partial-upload" else {
            throw RESTFailure(.unsupportedMediaType, ErrorAnswer("upload.type"))
        }
        let offset = try integer(.offset, request)
        let isLast = try isLast(request)
        guard let known = uploads.with(id, of: clientID, { $0 }) else { throw Self.unknown }
        guard offset == known.offset else {
            throw RESTFailure(
                .conflict, ErrorAnswer("upload.offset"), headers: ResumableUploadFields.answer(offset: known.offset))
        }
        if case .complete(let record) = known.state { return Self.answer(record) }
        return try await receive(request, id, at: offset, isLast: isLast, status: .noContent)
    }

    private func cancel(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let (id, clientID) = try await upload(request, context)
        guard let upload = uploads.remove(id, of: clientID) else { throw Self.unknown }
        await library.discard(upload)
        return Response(status: .noContent, headers: ResumableUploadFields.answer())
    }

    // MARK: Bytes

    private func receive(
        _ request: Request, _ id: String, at offset: Int64, isLast: Bool, status: HTTPResponse.Status
    ) async throws -> Response {
        let clientID = Caller(headers: request.headers).clientID
        guard let writer = uploads.with(id, of: clientID, { $0.takeOver() }) else { throw Self.unknown }
        let upload = uploads.with(id, of: clientID) { $0 }
        let (length, most) = (upload?.length ?? .max, rules.maximumBytes)
        var chunks = request.body.makeAsyncIterator()
        var reached = offset
        do {
            try await library.append(to: id, at: offset) {
                guard let chunk = try await chunks.next() else { return nil }
                reached += Int64(chunk.readableBytes)
                guard reached <= length else { throw RESTFailure(.badRequest, ErrorAnswer("upload.length")) }
                guard reached <= most else { throw RESTFailure(.contentTooLarge, .restrictedFileSize) }
                return chunk
            } wrote: { count in
                uploads.with(id, of: clientID) { $0.wrote(count, as: writer) } ?? false
            }
        } catch is FileSpace.Full {
            throw FileRoutes.full
        }
        guard let upload = uploads.with(id, of: clientID, { $0 }) else { throw Self.unknown }
        guard upload.writer == writer else { throw RESTFailure(.conflict, ErrorAnswer("upload.superseded")) }
        guard isLast else {
            var headers = ResumableUploadFields.answer(
                offset: upload.offset, isComplete: false, limit: rules.maximumBytes)
            if status == .created { headers[.location] = ServerPaths.uploads + "/" + id }
            return Response(status: status, headers: headers)
        }
        guard upload.length ?? upload.offset == upload.offset else {
            throw RESTFailure(
                .badRequest, ErrorAnswer("upload.length"), headers: ResumableUploadFields.answer(offset: upload.offset))
        }
        guard uploads.with(id, of: clientID, { $0.beginCompleting(as: writer) }) == true else {
            throw RESTFailure(.conflict, ErrorAnswer("upload.superseded"))
        }
        do {
            let record = try await library.complete(upload)
            _ = uploads.with(id, of: clientID) { $0.complete(record) }
            return Self.answer(record)
        } catch {
            _ = uploads.with(id, of: clientID) { $0.completingFailed() }
            throw error
        }
    }

    private static func answer(_ record: FileRecord) -> Response {
        var response = Response.json(
            UploadAnswer(result: record.fileID, name: record.name, size: record.size, type: record.type).bytes)
        for field in ResumableUploadFields.answer(offset: record.size, isComplete: true) {
            response.headers.append(field)
        }
        response.headers[.location] = ServerPaths.uploads + "/" + record.fileID
        return response
    }

    // MARK: Reading a request

    private static let unknown = RESTFailure(.notFound, ErrorAnswer("upload.not-found"))

    private func upload(
        _ request: Request, _ context: ServerRequestContext
    ) async throws -> (id: String, clientID: String?) {
        try await files.authorise(.upload, request)
        guard let id = context.parameters.get("upload") else { throw Self.unknown }
        return (id, Caller(headers: request.headers).clientID)
    }

    private func integer(_ name: ResumableUploadFields.Name, _ request: Request) throws -> Int64 {
        guard let number = ResumableUploadFields.integer(name, request.headers) else {
            throw RESTFailure.invalid(name.rawValue)
        }
        return number
    }

    private func isLast(_ request: Request) throws -> Bool {
        guard let isLast = ResumableUploadFields.boolean(.complete, request.headers) else {
            throw RESTFailure.invalid(ResumableUploadFields.Name.complete.rawValue)
        }
        return isLast
    }

    /// Returns the file name in `Content-Disposition` (RFC 6266; RFC 8187 for `filename*`).
    private static func fileName(_ field: String?) -> String {
        guard let field else { return "file" }
        let value = HeaderValue(field)
        if let extended = value["filename*"], extended.lowercased().hasPrefix("utf-8''"),
            let name = PercentDecoding.text(extended.dropFirst(7))
        {
            return name
        }
        return value["filename"] ?? "file"
    }
}
