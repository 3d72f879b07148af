package import HoldfastTrust
package import PinReports

/// One page of incidents.
package struct IncidentQuery: Hashable, Sendable {
    /// The allowed number of incidents on a page.
    ///
    /// - Error: 400 `invalidQuery`
    package static let limits = 1...200

    /// Only incidents of this app.
    package var app: String?
    /// Only incidents of this host, in canonical form.
    package var host: String?
    /// Only incidents in this state.
    package var state: IncidentState?
    /// Only incidents with a report since this time.
    package var since: Timestamp?
    /// Only incidents behind this one in the order of the list.
    package var before: IncidentCursor?
    /// The maximum number of incidents. Values outside of ``limits`` are clamped.
    package var limit: Int

    package init(
        app: String? = nil, host: String? = nil, state: IncidentState? = nil, since: Timestamp? = nil,
        before: IncidentCursor? = nil, limit: Int = 50
    ) {
        self.app = app
        self.host = host
        self.state = state
        self.since = since
        self.before = before
        self.limit = limit
    }

    /// The limit within the allowed range.
    var clampedLimit: Int { min(max(limit, Self.limits.lowerBound), Self.limits.upperBound) }
}

/// A position in the list of incidents, which is sorted by the last report. The number decides between equal times.
package struct IncidentCursor: Hashable, Sendable {
    package var lastSeen: Timestamp
    package var id: Int64

    package init(lastSeen: Timestamp, id: Int64) {
        self.lastSeen = lastSeen
        self.id = id
    }

    /// The position after an incident.
    package init(after incident: IncidentSummary) {
        self.init(lastSeen: incident.lastSeen, id: incident.id)
    }

    /// The position as text in a URL: the time in seconds, a dot and the number.
    package var text: String { "\(lastSeen.secondsSince1970).\(id)" }

    /// Reads a position from a URL. Returns `nil` for any other text.
    package init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let seconds = Int64(parts[0]), let id = Int64(parts[1]), id > 0 else { return nil }
        self.init(lastSeen: Timestamp(secondsSince1970: seconds), id: id)
    }
}

/// A page of incidents.
package struct IncidentPage: Hashable, Sendable {
    package var incidents: [IncidentSummary]
    /// The value of ``IncidentQuery/before`` for the next page; `nil` on the last page.
    package var next: IncidentCursor?

    /// Creates a page of at most `limit` incidents. `found` has one more if there is another page.
    init(_ found: [IncidentSummary], limit: Int) {
        incidents = Array(found.prefix(limit))
        next = found.count > limit ? incidents.last.map { IncidentCursor(after: $0) } : nil
    }
}
