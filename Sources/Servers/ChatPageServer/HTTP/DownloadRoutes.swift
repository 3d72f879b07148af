import ChatCenter
import ChatCenterCore
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOPosix
import ServerKit

/// The routes for files of messages. A file is loaded through the SDK, and never shown as a page of this origin.
struct DownloadRoutes: Sendable {
    let house: SessionHouse
    let paths: PagePaths
    /// Each download holds a file in memory until the browser has received it, because the SDK decrypts it there.
    let gate = Gate(.downloads, Self.memory, perVisitor: Self.memory / 2)

    /// The maximum size of a file in bytes.
    ///
    /// - Error: 413 `tooLarge`
    static let limit: Int64 = 128 << 20
    /// The maximum size of all files in memory in bytes.
    static let memory: Int64 = 512 << 20
    /// The size of the parts in which a file is written to the connection.
    private static let partSize = 64 << 10
    /// The types of sound that a browser may play in the page.
    static let audioTypes: Set<String> = [
        "audio/ogg", "audio/mpeg", "audio/mp4", "audio/aac", "audio/webm", "audio/wav", "audio/x-wav", "audio/3gpp",
        "audio/flac", "audio/x-m4a",
    ]

    /// Adds the routes to a router.
    func add(to router: Router<PageRequestContext>) {
        router.get(RouterPath(paths.path("files/:message/:index"))) { request, context in
            try await download(request, context)
        }
    }

    private func download(_ request: Request, _ context: PageRequestContext) async throws -> Response {
        let browser = try context.requireBrowser()
        guard let message = context.parameters.get("message").flatMap({ PercentDecoding.text($0) }),
            let index = context.parameters.get("index").flatMap({ Int($0) })
        else { throw PageFailure.notFound }
        return try await house.use(browser.visitor) { session in
            guard let files = session.row(MessageID(message))?.files, files.indices.contains(index),
                case .ready = files[index].state
            else { throw PageFailure.notFound }
            let size = files[index].size ?? Self.limit
            guard size <= Self.limit else { throw PageFailure.tooLarge }
            let place = try gate.enter(browser.visitor, weight: size)
            let data = try await Self.contents(of: files[index], session.screen)
            return try Self.response(files[index], data, request, holding: place)
        }
    }

    private static func contents(of file: ChatScreenMessage.File, _ screen: ChatScreen) async throws -> Data {
        do {
            let copy = try await screen.download(file)
            return try await NIOThreadPool.singleton.runIfActive { try screen.contents(of: copy) }
        } catch let error as CancellationError {
            throw error
        } catch {
            throw PageFailure(.badGateway, "file", .serverFileFailed)
        }
    }

    /// Returns the response with the whole file or the requested part.
    ///
    /// - Parameter place: The room that the file takes in memory. It is free when the body has been written.
    static func response(
        _ file: ChatScreenMessage.File, _ data: Data, _ request: Request, holding place: Gate.Place
    ) throws -> Response {
        let type = presentation(file.type, data, isInline: asksInline(request.uri.query))
        var headers: HTTPFields = [
            .contentType: type.name, .acceptRanges: "bytes",
            .contentDisposition: FileNames.disposition(file.name, inline: type.isInline),
            .contentSecurityPolicy: SecurityHeaders.filePolicy, .cacheControl: "private, no-store",
        ]
        // There is no entity tag, so a conditional range always refers to another file.
        let field = request.headers[.ifRange] == nil ? request.headers[.range] : nil
        guard let range = field.flatMap({ ByteRange($0) }) else {
            return Response(status: .ok, headers: headers, body: body(ByteBuffer(bytes: data), place))
        }
        guard let positions = range.resolved(size: Int64(data.count)) else {
            headers[.contentRange] = "bytes */\(data.count)"
            return Response(status: .rangeNotSatisfiable, headers: headers)
        }
        headers[.contentRange] = "bytes \(positions.lowerBound)-\(positions.upperBound)/\(data.count)"
        let start = data.startIndex
        let part = data[(start + Int(positions.lowerBound))...(start + Int(positions.upperBound))]
        return Response(status: .partialContent, headers: headers, body: body(ByteBuffer(bytes: part), place))
    }

    /// Returns a body that is written in parts, each after the connection has taken the one before.
    private static func body(_ bytes: ByteBuffer, _ place: Gate.Place) -> ResponseBody {
        ResponseBody(contentLength: bytes.readableBytes) { writer in
            defer { withExtendedLifetime(place) {} }
            var rest = bytes
            while let part = rest.readSlice(length: min(partSize, rest.readableBytes)), part.readableBytes > 0 {
                try await writer.write(part)
            }
            try await writer.finish(nil)
        }
    }

    /// Decides how a browser may present a file. Only pictures, by their first bytes, and sound are shown in the page.
    static func presentation(
        _ type: String?, _ data: some Sequence<UInt8>, isInline: Bool
    ) -> (name: String, isInline: Bool) {
        if let kind = ImageKind(data) { return (kind.rawValue, isInline) }
        let name = MediaTypeName.sanitized(type).lowercased()
        return audioTypes.contains(name) ? (name, isInline) : ("application/octet-stream", false)
    }

    private static func asksInline(_ query: String?) -> Bool {
        (query ?? "").split(separator: "&").contains { $0 == "inline" || $0.hasPrefix("inline=") }
    }
}
