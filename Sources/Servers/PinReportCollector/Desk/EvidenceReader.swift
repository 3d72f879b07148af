import HoldfastTrust
import PinReportDesk
import PinReports
import Synchronization

/// Collects the evidence for the diagnosis of an incident from the store, with a limit on everything that it reads.
final class EvidenceReader: Sendable {
    /// The number of reports of the incident, and of other incidents, that are read.
    private static let sampleLimit = 5
    private static let relatedLimit = 32
    /// The age in seconds at which other incidents do not count: one day.
    private static let relatedTime: Int64 = 86_400
    /// The maximum number of remembered roots.
    private static let rootLimit = 4_096

    let catalog: PolicyCatalog
    private let store: any ReportStore
    private let authorities: PublicAuthorities
    private let limits: PinReportLimits
    private let clock: TrustClock
    /// The names of the roots by incident. All reports of an incident have the same key of the server.
    private let roots = Mutex<[Int64: String]>([:])

    init(
        store: any ReportStore, catalog: PolicyCatalog, authorities: PublicAuthorities, limits: PinReportLimits,
        clock: TrustClock
    ) {
        self.store = store
        self.catalog = catalog
        self.authorities = authorities
        self.limits = limits
        self.clock = clock
    }

    /// Returns an incident with its diagnosis; `nil` if it does not exist.
    func view(of id: Int64) async throws(ReportCollectorError) -> IncidentView? {
        guard let detail = try await store.incident(id), let host = try? CanonicalHost(detail.summary.key.host) else {
            return nil
        }
        var reports: [DecodedReport] = []
        for sample in detail.samples.prefix(Self.sampleLimit) {
            guard let found = try await store.report(sample), let report = decoded(found) else { continue }
            reports.append(report)
        }
        let shown = reports.first { !$0.chain.readable.isEmpty }
        let newest = shown ?? reports.first
        let chain = shown?.chain ?? DecodedChain([])
        let expected = newest.map(\.expectedPins) ?? detail.knownPins
        let evidence = IncidentEvidence(
            host: host, application: detail.summary.key.app, result: detail.summary.key.trustKitResult, chain: chain,
            expectedPins: expected, catalog: catalog,
            hostsWithSameRoot: try await related(to: detail.summary, chain), authorities: authorities,
            clocks: reports.map { .init(reportedAt: $0.report.reportedAt, receivedAt: $0.receivedAt) },
            pinsEnd: newest?.report.expires, now: clock.now())
        return IncidentView(
            detail: detail, evidence: evidence, sample: shown?.id, port: newest?.report.port ?? 0)
    }

    /// Decodes a stored report; `nil` if only its facts are stored, or it is no longer valid.
    func decoded(_ stored: StoredReportWithBody) -> DecodedReport? {
        stored.body.flatMap {
            try? DecodedReport(
                id: stored.report.id, receivedAt: stored.report.receivedAt, body: $0, limits: limits)
        }
    }

    /// Returns the other hosts with recent incidents that show the same root. A public authority has many hosts, so
    /// that the result would mean nothing.
    private func related(
        to incident: IncidentSummary, _ chain: DecodedChain
    ) async throws(ReportCollectorError) -> [String] {
        guard let root = chain.rootName, authorities.trusts(chain) != true else { return [] }
        let since = clock.now().advanced(bySeconds: -Self.relatedTime)
        let page = try await store.incidents(IncidentQuery(since: since, limit: Self.relatedLimit))
        var hosts: Set<String> = []
        for other in page.incidents where other.id != incident.id && other.key.host != incident.key.host {
            if try await rootName(of: other.id) == root { hosts.insert(other.key.host) }
        }
        return hosts.sorted()
    }

    private func rootName(of incident: Int64) async throws(ReportCollectorError) -> String? {
        if let known = roots.withLock({ $0[incident] }) { return known }
        guard let sample = try await store.incident(incident)?.samples.first,
            let found = try await store.report(sample), let name = decoded(found)?.chain.rootName
        else { return nil }
        roots.withLock { roots in
            // Roots are cheap to read again.
            if roots.count >= Self.rootLimit { roots.removeAll() }
            roots[incident] = name
        }
        return name
    }
}
