import ChatServerCore
import ChatWire
import Hummingbird
import NIOCore
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

    private func receive(
        _ part: MultipartPart, named name: String, _ rules: UploadRules, from form: inout FormReader
    ) async throws -> FileRecord {
        guard rules.allows(name: name) else {
            throw RESTFailure(.unsupportedMediaType, .restrictedFileType)
        }
        var size: Int64 = 0
        return try await library.add(
            name: String(name.prefix(255)), type: MediaTypeName.sanitized(part.contentType)
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

/// A single range of a `Range` header (RFC 9110, section 14.2).
enum ByteRange: Hashable, Sendable {
    /// From the first to the last position, inclusive; without a last position, to the end of the file.
    case from(Int64, through: Int64?)
    /// The given number of bytes at the end.
    case suffix(Int64)

    /// Parses a header value. Returns `nil` if the header must be ignored: it is malformed, uses another unit, or
    /// contains several ranges, which a server may answer with the whole file.
    init?(_ value: String) {
        guard value.hasPrefix("bytes=") else { return nil }
        let specification = value.dropFirst(6).filter { $0 != " " && $0 != "\t" }
        let bounds = specification.split(separator: "-", omittingEmptySubsequences: false)
        guard bounds.count == 2 else { return nil }
        switch (Self.number(bounds[0]), Self.number(bounds[1])) {
        case (let first?, let last?) where first <= last: self = .from(first, through: last)
        case (let first?, nil) where bounds[1].isEmpty: self = .from(first, through: nil)
        case (nil, let count?) where bounds[0].isEmpty: self = .suffix(count)
        default: return nil
        }
    }

    /// Returns the positions that exist in a file of this size; `nil` if none exists (status 416).
    func resolved(size: Int64) -> ClosedRange<Int64>? {
        switch self {
        case .from(let first, let last):
            guard first < size else { return nil }
            return first...min(last ?? size - 1, size - 1)
        case .suffix(let count):
            guard count > 0, size > 0 else { return nil }
            return max(0, size - count)...(size - 1)
        }
    }

    /// Accepts only digits, because `Int64` would also accept a sign.
    private static func number(_ text: some StringProtocol) -> Int64? {
        text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) ? Int64(text) : nil
    }
}
