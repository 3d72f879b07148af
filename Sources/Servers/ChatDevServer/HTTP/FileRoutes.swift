import ChatServerCore
import ChatWire
import Hummingbird
import NIOCore
import ServerKit
import Synchronization

/// The routes for uploads and downloads.
struct FileRoutes: Sendable {
    let driver: ChatServerDriver
    let library: FileLibrary

    /// The maximum size of a form without its file, in bytes.
    static let formOverhead: Int64 = 64 * 1024

    static let full = RESTFailure(.init(code: 507), ErrorAnswer("file.store-full"))

    /// Adds the routes to a router.
    func add(to router: Router<ServerRequestContext>) {
        let resumable = ResumableRoutes(files: self)
        resumable.add(to: router)
        router.put(RouterPath(ServerPaths.files)) { request, _ in
            if ResumableUploadFields.isPresent(in: request.headers) { return try await resumable.create(request) }
            return try await upload(request)
        }
        router.get("\(ServerPaths.files)/:file") { request, context in
            try await download(request, context)
        }
        router.head("\(ServerPaths.files)/:file") { request, context in
            try await download(request, context).createHeadResponse()
        }
    }

    // MARK: Uploads

    private func upload(_ request: Request) async throws -> Response {
        try await authorise(.upload, request)
        let rules = driver.uploadRules.withLock { $0 }
        if let length = request.headers[.contentLength].flatMap({ Int64($0) }),
            length > rules.maximumBytes + Self.formOverhead
        {
            throw RESTFailure(.contentTooLarge, .restrictedFileSize)
        }
        guard !library.space.isFull else { throw Self.full }
        do {
            var form = try FormReader(body: request.body, contentType: request.headers[.contentType] ?? "")
            var record: FileRecord?
            var budget = rules.maximumBytes + Self.formOverhead
            while let event = try await form.next() {
                switch event {
                case .began(let part):
                    guard record == nil, let name = part.fileName else { continue }
                    record = try await receive(part, named: name, rules, from: &form)
                case .data(let data):
                    // Other fields are ignored, but their size is limited.
                    budget -= Int64(data.readableBytes)
                    guard budget > 0 else { throw RESTFailure(.contentTooLarge, ErrorAnswer("request.too-large")) }
                case .ended, .finished:
                    continue
                }
            }
            guard let record else { throw RESTFailure(.badRequest, ErrorAnswer("form.no-file")) }
            return .json(
                UploadAnswer(result: record.fileID, name: record.name, size: record.size, type: record.type).bytes)
        } catch is FileSpace.Full {
            throw Self.full
        } catch let error as MultipartError {
            throw RESTFailure(.badRequest, ErrorAnswer("form.malformed", details: error.description))
        }
    }

    /// Stores the file of a form's part. `isUnsent` as in ``FileLibrary/add(name:type:isUnsent:next:)``.
    func receive(
        _ part: MultipartPart, named name: String, _ rules: UploadRules, from form: inout FormReader,
        isUnsent: Bool = false
    ) async throws -> FileRecord {
        guard rules.allows(name: name) else {
            throw RESTFailure(.unsupportedMediaType, .restrictedFileType)
        }
        var size: Int64 = 0
        return try await library.add(
            name: String(name.prefix(255)), type: MediaTypeName.sanitized(part.contentType), isUnsent: isUnsent
        ) {
            guard let data = try await form.nextData() else { return nil }
            size += Int64(data.readableBytes)
            guard size <= rules.maximumBytes else { throw RESTFailure(.contentTooLarge, .restrictedFileSize) }
            return data
        }
    }

    // MARK: Downloads

    private func download(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        try await authorise(.download, request)
        guard let fileID = context.parameters.get("file"), let file = try await library.file(fileID) else {
            throw RESTFailure(.notFound, .fileNotFound)
        }
        return try await response(with: file, request, context)
    }

    /// Returns a file, or the requested range of it.
    func response(
        with file: FileRecord, _ request: Request, _ context: ServerRequestContext
    ) async throws -> Response {
        // A file never changes, so its id serves as the entity tag.
        let tag = "\"\(file.fileID)\""
        var headers: HTTPFields = [
            .contentType: file.type, .acceptRanges: "bytes", .eTag: tag, .xContentTypeOptions: "nosniff",
            .contentDisposition: "attachment; filename*=UTF-8''" + ChatDialect.percentEncoded(file.name),
        ]
        guard let range = Self.range(of: request, tag: tag) else {
            let body = file.size == 0 ? ResponseBody() : try await content(file, 0...(file.size - 1), context)
            return Response(status: .ok, headers: headers, body: body)
        }
        guard let positions = range.resolved(size: file.size) else {
            throw RESTFailure(
                .rangeNotSatisfiable, ErrorAnswer("range.not-satisfiable"),
                headers: [.contentRange: "bytes */\(file.size)"])
        }
        headers[.contentRange] = "bytes \(positions.lowerBound)-\(positions.upperBound)/\(file.size)"
        return Response(status: .partialContent, headers: headers, body: try await content(file, positions, context))
    }

    /// Returns the requested range if it still refers to this file (`If-Range`, RFC 9110, section 13.1.5).
    private static func range(of request: Request, tag: String) -> ByteRange? {
        guard let value = request.headers[.range] else { return nil }
        if let condition = request.headers[.ifRange], condition != tag { return nil }
        return ByteRange(value)
    }

    private func content(
        _ file: FileRecord, _ positions: ClosedRange<Int64>, _ context: ServerRequestContext
    ) async throws -> ResponseBody {
        do {
            return try await FileIO().loadFile(
                path: library.path(of: file.fileID), range: Int(positions.lowerBound)...Int(positions.upperBound),
                context: context)
        } catch {
            // The metadata exists but the contents do not: another program removed the file.
            throw RESTFailure(.notFound, .fileNotFound)
        }
    }

    func authorise(_ transfer: CallName, _ request: Request) async throws {
        let answer = await driver.permission(for: transfer, Caller(headers: request.headers))
        if case .permitted = answer { return }
        throw RESTFailure(answer)
    }
}
