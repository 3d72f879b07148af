package import HoldfastTrust

/// An incident in a list: the reports with the same app, host, result and key of the server.
package struct IncidentSummary: Hashable, Sendable {
    package var id: Int64
    package var key: IncidentKey
    package var state: IncidentState
    /// The time of arrival of the first report.
    package var firstSeen: Timestamp
    /// The time of arrival of the last report.
    package var lastSeen: Timestamp
    /// The exact number of reports, with those that are no longer stored.
    package var count: Int64
    /// The number of different installations.
    package var clients: Int
    /// Whether ``clients`` is exact.
    package var isExact: Bool

    package init(
        id: Int64, key: IncidentKey, state: IncidentState, firstSeen: Timestamp, lastSeen: Timestamp, count: Int64,
        clients: Int, isExact: Bool
    ) {
        self.id = id
        self.key = key
        self.state = state
        self.firstSeen = firstSeen
        self.lastSeen = lastSeen
        self.count = count
        self.clients = clients
        self.isExact = isExact
    }
}

/// The number of an incident's reports with one value.
package struct FacetCount: Hashable, Sendable {
    /// The value; `other` for the reports whose value exceeded the limit of values.
    package var value: String
    package var count: Int64
    /// Whether the line stands for all values beyond the limit.
    package var isOther: Bool

    /// The value of the line for all values beyond the limit.
    package static let other = "other"

    package init(value: String, count: Int64) {
        self.value = value
        self.count = count
        isOther = false
    }

    /// Creates the line for all values beyond the limit.
    package init(other count: Int64) {
        value = Self.other
        self.count = count
        isOther = true
    }
}

/// The number of an incident's reports in one hour.
package struct HourCount: Hashable, Sendable {
    /// The beginning of the hour.
    package var hour: Timestamp
    package var count: Int64

    package init(hour: Timestamp, count: Int64) {
        self.hour = hour
        self.count = count
    }
}

/// Everything that is known about one incident.
package struct IncidentDetail: Hashable, Sendable {
    /// The maximum number of different values of each facet; further values are counted together.
    package static let facetLimit = 100
    /// The maximum number of ``samples``. Older ones are left out.
    package static let sampleLimit = 20
    /// The maximum number of changes in ``history``; older ones are left out.
    package static let historyLimit = 100

    package var summary: IncidentSummary
    /// By app version, most reports first, the line for all other values last.
    package var appVersions: [FacetCount]
    /// By version of the policy bundle, in the same order.
    package var policyVersions: [FacetCount]
    /// By platform and version of the operating system, in the same order.
    package var platforms: [FacetCount]
    /// The hours with reports, the earliest first.
    package var hours: [HourCount]
    /// The numbers of the newest reports whose body is stored, the newest first.
    package var samples: [Int64]
    /// The pins that the policies expected, as in `sha256/…`, in the order of their text. At most ``facetLimit``.
    package var knownPins: [String]
    /// The changes of the state, the earliest first.
    package var history: [StateChange]

    package init(
        summary: IncidentSummary, appVersions: [FacetCount] = [], policyVersions: [FacetCount] = [],
        platforms: [FacetCount] = [], hours: [HourCount] = [], samples: [Int64] = [], knownPins: [String] = [],
        history: [StateChange] = []
    ) {
        self.summary = summary
        self.appVersions = appVersions
        self.policyVersions = policyVersions
        self.platforms = platforms
        self.hours = hours
        self.samples = samples
        self.knownPins = knownPins
        self.history = history
    }
}
