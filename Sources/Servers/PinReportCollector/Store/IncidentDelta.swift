import HoldfastBase
import HoldfastTrust
import PinReports

/// What an incident counts by value.
enum IncidentFacet: Int64, Hashable, Sendable, CaseIterable {
    case appVersion = 1
    case policyVersion = 2
    case platform = 3
    case expectedPin = 4
}

/// The changes of one incident by the reports of one batch, so that a database changes each incident once.
struct IncidentDelta: Hashable, Sendable {
    /// A value of a facet.
    struct Value: Hashable, Sendable {
        var facet: IncidentFacet
        var text: String
    }

    let key: IncidentKey
    /// The digest of the key, by which databases find the incident.
    let keyDigest: [UInt8]
    /// The digest of the root's name in the first report that has one.
    private(set) var root: [UInt8]?
    private(set) var count: Int64 = 0
    private(set) var firstSeen: Timestamp
    private(set) var lastSeen: Timestamp
    /// The latest time of a failure, by the apps' clocks.
    private(set) var lastFailure: Timestamp
    private(set) var clients: Set<[UInt8]> = []
    private(set) var values: [Value: Int64] = [:]
    /// The number of reports by hour since 1970.
    private(set) var hours: [Int64: Int64] = [:]

    private init(_ facts: ReportFacts, keyDigest: [UInt8]) {
        key = facts.key
        self.keyDigest = keyDigest
        firstSeen = facts.time
        lastSeen = facts.time
        lastFailure = facts.reportedAt
    }

    private mutating func add(_ facts: ReportFacts) {
        count += 1
        firstSeen = min(firstSeen, facts.time)
        lastSeen = max(lastSeen, facts.time)
        lastFailure = max(lastFailure, facts.reportedAt)
        root = root ?? facts.root
        if let client = facts.client { clients.insert(client) }
        let version = facts.policyVersion.map { String($0) }
        let texts: [(IncidentFacet, String?)] = [
            (.appVersion, facts.appVersion), (.policyVersion, version), (.platform, facts.platformText),
        ]
        for case (let facet, let text?) in texts { values[Value(facet: facet, text: text), default: 0] += 1 }
        for pin in Set(facts.expectedPins) { values[Value(facet: .expectedPin, text: pin), default: 0] += 1 }
        hours[facts.time.secondsSince1970.flooredHour, default: 0] += 1
    }

    /// Returns the changes by some reports, in the order of the keys' digests. All collectors change incidents in this
    /// order, so that two of them cannot wait for each other.
    static func all(_ reports: some Sequence<ReportFacts>) -> [IncidentDelta] {
        var deltas: [IncidentKey: IncidentDelta] = [:]
        for facts in reports {
            deltas[facts.key, default: IncidentDelta(facts, keyDigest: facts.key.digest)].add(facts)
        }
        return deltas.values.sorted { $0.keyDigest.lexicographicallyPrecedes($1.keyDigest) }
    }

    /// The values in a fixed order.
    var sortedValues: [(value: Value, count: Int64)] {
        values.sorted { ($0.key.facet.rawValue, $0.key.text) < ($1.key.facet.rawValue, $1.key.text) }
            .map { ($0.key, $0.value) }
    }
}

extension Int64 {
    /// The hour since 1970 of a time in seconds.
    var flooredHour: Int64 { flooredQuotientAndRemainder(dividingBy: 3_600).quotient }
}

extension Timestamp {
    /// The number of the ten seconds since 1970, by which the pace is counted.
    var paceSlot: Int64 { secondsSince1970.flooredQuotientAndRemainder(dividingBy: 10).quotient }
}

extension IncidentDetail {
    /// Adds the counts of the facets, in any order. An empty value stands for all values beyond the limit.
    mutating func add(_ values: [(facet: IncidentFacet, text: String, count: Int64)]) {
        let sorted = values.sorted { ($1.count, $0.text) < ($0.count, $1.text) }
        func counts(_ facet: IncidentFacet) -> [FacetCount] {
            let own = sorted.filter { $0.facet == facet }
            return own.filter { !$0.text.isEmpty }.map { FacetCount(value: $0.text, count: $0.count) }
                + own.filter { $0.text.isEmpty }.map { FacetCount(other: $0.count) }
        }
        appVersions = counts(.appVersion)
        policyVersions = counts(.policyVersion)
        platforms = counts(.platform)
        knownPins = counts(.expectedPin).filter { !$0.isOther }.map(\.value).sorted()
    }
}
