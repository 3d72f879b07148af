import ChatServerCore
import ChatWire
import Hummingbird
import NIOCore
import ServerKit
import ServerMarkup

/// The stream of a desk's page (server-sent events). It begins with what the page has missed.
extension DeskRoutes {
    /// The time after which a browser connects again, in milliseconds.
    private static let retry = 500

    func follow(
        _ request: Request, _ session: DeskSession, on channel: any Channel
    ) throws(FormFields.Malformed) -> Response {
        let fields = try FormFields(query: request.uri.query ?? "")
        let clientID = fields["client"].flatMap { $0.isEmpty ? nil : $0 }
        // A browser that connects again sends the number of the last event.
        let position = (request.headers[DeskHeaders.lastEventID] ?? fields["after"]).flatMap { DeskPosition($0) }
        let body = ResponseBody { writer in
            guard
                let following = await driver.followDesk(
                    session, clientID: clientID, after: position, beat: stream.beat, limits: stream.limits)
            else {
                try await writer.write(DeskFrame.ended(.full).buffer)
                return try await writer.finish(nil)
            }
            let outlet = following.outlet
            async let _: Void = Self.cut(channel, whenTooSlow: outlet, after: stream.grace)
            do {
                try await writer.write(ByteBuffer(string: "retry: \(Self.retry)\n\n"))
                if let missed = following.missed.events {
                    let events = [.present(following.missed.colleagues)] + missed
                    try await send(events, of: outlet, session, clientID, &writer)
                } else {
                    try await writer.write(DeskFrame.reset(following.missed.position).buffer)
                }
                for await output in outlet.outputs {
                    guard !outlet.isTooSlow else { break }
                    switch output {
                    case .events(let events, _): try await send(events, of: outlet, session, clientID, &writer)
                    case .beat: try await writer.write(DeskFrame.beat(gate.now.wall).buffer)
                    case .ended(let end): try await writer.write(DeskFrame.ended(end).buffer)
                    }
                    outlet.took(output)
                }
                // A page that reads again in time learns the reason. It connects again and resumes.
                if outlet.isTooSlow { try await writer.write(DeskFrame.ended(.tooSlow).buffer) }
            } catch {
                // The browser has closed the connection, or the server has cut it.
                driver.leaveDesk(following.seat)
                throw error
            }
            driver.leaveDesk(following.seat)
            try await writer.finish(nil)
        }
        return Response(status: .ok, headers: DeskHeaders.fields("text/event-stream; charset=utf-8"), body: body)
    }

    /// Sends events one by one, so that the markup of only one event is in memory. Ends early if the page reads too
    /// slowly.
    private func send(
        _ events: [DeskEvent], of outlet: DeskOutlet, _ session: DeskSession, _ clientID: String?,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        let renderer = DeskRenderer(session: session, now: gate.now.wall)
        for event in events where !outlet.isTooSlow {
            try await writer.write(DeskFrame(event, renderer, clientID).buffer)
        }
    }

    /// Closes the connection of a page that reads too slowly. A write to it would wait forever. Cancellation means that
    /// the stream has ended in time.
    private static func cut(
        _ channel: any Channel, whenTooSlow outlet: DeskOutlet, after grace: Duration
    ) async {
        for await _ in outlet.end {}
        guard outlet.isTooSlow else { return }
        try? await Task.sleep(for: grace)  // reason: the time to send the end of the stream
        if !Task.isCancelled { channel.close(promise: nil) }
    }
}

/// The settings of the desk's streams.
struct DeskStreamSettings: Hashable, Sendable {
    /// The interval at which a stream shows that the server is alive.
    var beat: Duration = .seconds(5)
    /// The limits for outputs that wait for a slow page.
    var limits = DeskOutlet.Limits()
    /// The time between the end of a stream that was too slow and the end of its connection.
    var grace: Duration = .seconds(2)
}

/// An event of a stream, as text.
struct DeskFrame: Hashable, Sendable {
    /// The position after this event; `nil` for an event that is not repeated.
    private let id: String?
    private let data: JSONObject

    private init(id: String? = nil, _ kind: String, _ fields: JSONObject = [:]) {
        self.id = id
        var data: JSONObject = ["v": .integer(1), "kind": .string(kind)]
        data.append(missingFrom: fields)
        self.data = data
    }

    /// The event in the format of the stream.
    var buffer: ByteBuffer {
        let id = id.map { "id: \($0)\n" } ?? ""
        return ByteBuffer(string: "\(id)data: \(JSONValue.object(data).text)\n\n")
    }

    static func beat(_ now: Int64) -> DeskFrame { DeskFrame("beat", ["now": .integer(now)]) }
    static func ended(_ end: DeskEnd) -> DeskFrame { DeskFrame("end", ["code": .string(end.rawValue)]) }

    /// Some changes are no longer known: the page must be loaded again.
    static func reset(_ position: DeskPosition) -> DeskFrame {
        DeskFrame(id: position.description, "reset")
    }

    /// Renders an event for the page of a session with an open conversation.
    init(_ event: DeskEvent, _ renderer: DeskRenderer, _ openClient: String?) {
        switch event {
        case .types(let clientID, let draft):
            self.init("typing", ["client": .string(clientID), "draft": draft.map { .string($0) } ?? .null])
        case .operatorTypes(let clientID, let person):
            self.init(
                "operatorTyping",
                ["client": .string(clientID), "operator": .string(person.id), "name": .string(person.name)])
        case .present(let colleagues):
            self.init("present", ["html": .string(renderer.colleagues(colleagues, in: openClient).text)])
        case .changed(let position, let change):
            self.init(position, change, renderer, openClient)
        }
    }

    private init(
        _ position: DeskPosition, _ change: DeskChange, _ renderer: DeskRenderer, _ openClient: String?
    ) {
        let id = position.description
        switch change {
        case .message(let message):
            // Other conversations show only their row.
            var fields: JSONObject = [
                "client": .string(message.clientID), "id": .string(message.messageID),
                "fromClient": .bool(message.isFromClient && message.isInHistory),
            ]
            if message.clientID == openClient { fields.set("html", renderer.message(message).text) }
            self.init(id: id, "message", fields)
        case .note(let note):
            var fields: JSONObject = ["client": .string(note.clientID), "id": .string(note.noteID)]
            if note.clientID == openClient { fields.set("html", renderer.note(note).text) }
            self.init(id: id, "note", fields)
        case .removed(let clientID, let through):
            self.init(id: id, "removed", ["client": .string(clientID), "through": .integer(through)])
        case .conversation(let row):
            let isOpen = row.clientID == openClient
            var fields: JSONObject = [
                "client": .string(row.clientID), "html": .string(renderer.row(row, isCurrent: isOpen).text),
                "unread": .integer(Int64(row.unread)),
            ]
            if isOpen { fields.set("head", renderer.head(row).text) }
            self.init(id: id, "conversation", fields)
        }
    }
}
