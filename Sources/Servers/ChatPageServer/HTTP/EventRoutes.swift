import ChatPage
import HTTPTypes
import Hummingbird
import NIOCore
import ServerKit

/// Server-sent events: the frames for pages whose network does not pass WebSocket.
struct EventRoutes: Sendable {
    let house: SessionHouse
    let paths: PagePaths

    /// Adds the routes to a router.
    func add(to router: Router<PageRequestContext>) {
        router.get(RouterPath(paths.path("events"))) { request, context in try await events(request, context) }
    }

    private func events(_ request: Request, _ context: PageRequestContext) async throws -> Response {
        let browser = try context.requireBrowser()
        let place = try PagePlace(
            request.uri.query, lastEvent: HTTPField.Name("Last-Event-ID").flatMap { request.headers[$0] })
        // Opens the session, so that a failure has its status.
        try await house.use(browser.visitor) { _ in }
        let channel = context.channel
        return Response(
            status: .ok, headers: [.contentType: "text/event-stream; charset=utf-8"],
            body: ResponseBody { writer in
                let use = try await house.enter(browser.visitor)
                let connection = await use.session.connect(
                    client: place.client, after: place.number, signIn: browser.signIn)
                async let watch: Void = Self.cut(channel, whenTooSlow: connection.outlet)
                do {
                    try await writer.write(ByteBuffer(string: "retry: 1000\n\n"))
                    for await frame in connection.outlet.frames {
                        try await writer.write(Self.event(frame))
                        connection.outlet.took(frame)
                    }
                    try await writer.finish(nil)
                } catch {
                    await use.session.disconnect(connection.id)
                    await house.leave(use)
                    throw error
                }
                await use.session.disconnect(connection.id)
                await house.leave(use)
                await watch
            })
    }

    /// Closes a connection whose page reads too slowly. A write to it would wait forever.
    private static func cut(_ channel: any Channel, whenTooSlow outlet: PageOutlet) async {
        for await _ in outlet.end {}
        if outlet.isTooSlow { channel.close(promise: nil) }
    }

    static func event(_ frame: PageFrame) -> ByteBuffer {
        // A frame has no line breaks, because JSON escapes them.
        var buffer = ByteBuffer(string: "id: \(frame.number)\ndata: ")
        buffer.writeBytes(frame.bytes)
        buffer.writeString("\n\n")
        return buffer
    }
}

/// Where a page is in the sequence of changes: its id, and the last change that it has seen.
struct PagePlace: Hashable, Sendable {
    /// The page's own random id.
    let client: String
    /// The number of the last change; `nil` for a new page.
    let number: UInt64?

    /// Reads `client=ID&after=NUMBER`. Throws ``PageFailure`` for an invalid id or number.
    ///
    /// - Parameter lastEvent: The number that a browser sends when it connects again by itself. It takes precedence.
    init(_ query: String?, lastEvent: String? = nil) throws(PageFailure) {
        guard let items = try? FormFields(query: query ?? "") else { throw .invalid("query") }
        guard let client = items["client"], Self.isValid(client) else { throw .invalid("client") }
        self.client = client
        guard let text = lastEvent ?? items["after"], !text.isEmpty else {
            number = nil
            return
        }
        guard let number = UInt64(text) else { throw .invalid("after") }
        self.number = number
    }

    /// Returns whether a text is the id of a page: 8 to 64 letters, digits, hyphens and underscores.
    static func isValid(_ client: some StringProtocol) -> Bool {
        (8...64).contains(client.utf8.count)
            && client.utf8.allSatisfy { byte in
                (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == UInt8(ascii: "-")
                    || byte == UInt8(ascii: "_")
            }
    }
}
