import HoldfastTrust
import PinReportDesk
import PinReports

/// Collects the evidence for the diagnosis of an incident from the store, with a limit on everything that it reads.
final class EvidenceReader: Sendable {
    /// The number of reports of the incident that are read. The others are not read.
    private static let sampleLimit = 5
    /// The maximum number of other hosts that are named. Further ones are left out.
    private static let relatedLimit = 32
    /// The age in seconds at which other incidents do not count: one day.
    private static let relatedTime: Int64 = 86_400

    let catalog: PolicyCatalog
    private let store: any ReportStore
    private let authorities: PublicAuthorities
    private let limits: PinReportLimits
    private let clock: TrustClock

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
    ///
    /// The store finds them by the root. Forged incidents with other roots therefore do not displace them.
    private func related(
        to incident: IncidentSummary, _ chain: DecodedChain
    ) async throws(ReportCollectorError) -> [String] {
        guard let root = chain.rootName, authorities.trusts(chain) != true else { return [] }
        let since = clock.now().advanced(bySeconds: -Self.relatedTime)
        let hosts = try await store.hosts(withRoot: root, since: since, limit: Self.relatedLimit + 1)
        return Array(hosts.filter { $0 != incident.key.host }.prefix(Self.relatedLimit))
    }
}
