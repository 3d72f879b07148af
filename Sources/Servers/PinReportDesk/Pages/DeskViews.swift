package import HoldfastTrust
package import PinReports

/// The person at a desk, for the head of each page.
package struct DeskVisitor: Hashable, Sendable {
    /// The name, as in the history of incidents.
    package var name: String
    /// The token that each form of the session contains.
    package var form: String
    /// The version of the contents, as the stream of changes names it.
    package var version: UInt64

    /// Creates a visitor.
    package init(name: String, form: String, version: UInt64 = 0) {
        self.name = name
        self.form = form
        self.version = version
    }
}

/// The filter of the list of incidents, as typed.
package struct IncidentFilter: Hashable, Sendable {
    package var app = ""
    package var host = ""
    package var state: IncidentState?
    /// A date, or an empty text.
    package var since = ""

    /// Creates a filter that allows every incident.
    package init() {}

    /// Whether the filter excludes incidents.
    package var isActive: Bool { self != IncidentFilter() }
}

/// The list of incidents.
package struct IncidentListView: Hashable, Sendable {
    package var filter: IncidentFilter
    package var incidents: [IncidentSummary]
    /// The query of the next page, if there is one. Percent-encoded.
    package var nextQuery: String?
    /// The query of this list without a cursor, for exports. Percent-encoded.
    package var query: String
    /// The number of incidents in each state, independent of the filter.
    package var counts: [IncidentState: Int64]
    /// The number of stored reports.
    package var reports: Int64
    /// The number of reports in the last hour.
    package var lastHour: Int64

    /// Creates a list.
    package init(
        filter: IncidentFilter, incidents: [IncidentSummary], nextQuery: String?, query: String,
        counts: [IncidentState: Int64], reports: Int64, lastHour: Int64
    ) {
        self.filter = filter
        self.incidents = incidents
        self.nextQuery = nextQuery
        self.query = query
        self.counts = counts
        self.reports = reports
        self.lastHour = lastHour
    }
}

/// One incident with its diagnosis.
package struct IncidentView: Hashable, Sendable {
    package var detail: IncidentDetail
    package var evidence: IncidentEvidence
    package var diagnoses: [IncidentDiagnosis]
    /// The draft of a policy, or the reason why there is none.
    package var draft: Result<PolicyDraft, PolicyDraft.Refusal>
    /// The report whose chain is shown.
    package var sample: Int64?
    /// The port of the server; 0 if the reports do not contain it.
    package var port: Int

    /// Creates the view of an incident.
    package init(detail: IncidentDetail, evidence: IncidentEvidence, sample: Int64? = nil, port: Int = 0) {
        self.detail = detail
        self.evidence = evidence
        self.sample = sample
        self.port = port
        let diagnoses = IncidentDiagnosis.all(evidence)
        self.diagnoses = diagnoses
        // A policy that ends soon gets a draft only if no other cause was found.
        let kind = diagnoses.first { $0.kind != .unknown }?.kind ?? .unknown
        draft = Result { () throws(PolicyDraft.Refusal) in try PolicyDraft(kind, evidence) }
    }

    /// The policy versions of the reporting apps.
    package var affected: [AffectedPolicy] {
        detail.policyVersions.map { AffectedPolicy($0, evidence) }
    }
}

/// A policy version of reporting apps, and whether it accepts the server's current key.
package struct AffectedPolicy: Hashable, Sendable {
    /// What the desk knows about a version.
    package enum Knowledge: Hashable, Sendable {
        /// The policy lists a key of the shown chain: apps with it should connect again.
        case listsKey
        /// The policy lists no key of the shown chain.
        case lacksKey
        /// The desk does not have the bundle.
        case unknown
    }

    package var version: FacetCount
    package var knowledge: Knowledge

    init(_ version: FacetCount, _ evidence: IncidentEvidence) {
        self.version = version
        let number = version.isOther ? nil : Int64(version.value)
        let policy = number.flatMap { number in
            evidence.catalog.policies(for: evidence.application).first { $0.version == number }
        }
        guard let policy else {
            knowledge = .unknown
            return
        }
        let pins = Set(policy.pins(for: evidence.host))
        knowledge = evidence.chain.readable.contains { pins.contains($0.pin) } ? .listsKey : .lacksKey
    }
}

/// One report.
package struct ReportView: Hashable, Sendable {
    /// The report's number.
    package var id: Int64
    package var receivedAt: Timestamp
    /// The decoded report; `nil` if only its facts are stored, or if it is no longer valid.
    package var decoded: DecodedReport?
    /// The stored facts as JSON.
    package var details: String
    /// The policies that the desk knows.
    package var catalog: PolicyCatalog

    /// Creates the view of a report.
    package init(
        id: Int64, receivedAt: Timestamp, decoded: DecodedReport?, details: String,
        catalog: PolicyCatalog = PolicyCatalog()
    ) {
        self.id = id
        self.receivedAt = receivedAt
        self.decoded = decoded
        self.details = details
        self.catalog = catalog
    }
}
