import HTTPTypes
import HoldfastBase
import HoldfastTrust
import HummingbirdCore
import NIOCore
import PinReportDesk
import PinReports

extension DeskService {
    /// The time between two looks at the store while a page follows.
    private static let lookInterval = Duration.seconds(2)
    /// The number of looks between two signs of life to each page: 10 seconds.
    private static let looksPerBeat = 5
    /// The time after which a browser connects again, in milliseconds.
    private static let retry = 1_000

    /// Returns the stream of a page (server-sent events). It contains versions, never contents.
    func follow(_ session: DeskSessions.Session) -> Response {
        let (hub, gate) = (hub, gate)
        let body = ResponseBody { writer in
            // The seat is taken here, because this closure does not run if the connection is already closed.
            guard let seat = hub.follow(session.number) else {
                try await writer.write(ByteBuffer(string: "retry: 30000\ndata: {\"kind\": \"full\"}\n\n"))
                return try await writer.finish(nil)
            }
            defer { hub.leave(seat) }
            try await writer.write(ByteBuffer(string: "retry: \(Self.retry)\n\n"))
            for await version in seat.versions {
                guard gate.isLive(session) else { break }
                try await writer.write(
                    ByteBuffer(string: "data: {\"kind\": \"version\", \"version\": \"\(version)\"}\n\n"))
            }
            if !gate.isLive(session) { try await writer.write(ByteBuffer(string: "data: {\"kind\": \"end\"}\n\n")) }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok, headers: Response.deskFields("text/event-stream; charset=utf-8"), body: body)
    }

    /// What a look at the store compares.
    private struct Look: Hashable {
        let states: [IncidentState: Int]
        let newest: IncidentSummary?
    }

    /// Watches the store for changes until the task is cancelled: also for those of other collectors that share it.
    func watch() async {
        var (last, looks) = (Look?.none, 0)
        while !Task.isCancelled {
            try? await Task.sleep(for: Self.lookInterval)  // reason: other collectors do not tell about changes
            guard hub.count > 0 else {
                last = nil
                continue
            }
            looks += 1
            // A failed look is not an event of its own: the next page shows the failure.
            if let look = try? await look() {
                // Without an earlier look, something may have changed since the page was made.
                if last != look { hub.changed() }
                last = look
            }
            if looks.isMultiple(of: Self.looksPerBeat) { hub.beat() }
        }
    }

    private func look() async throws(ReportCollectorError) -> Look {
        let totals = try await store.totals(at: configuration.clock.now())
        return Look(
            states: totals.incidents, newest: try await store.incidents(IncidentQuery(limit: 1)).incidents.first)
    }
}
