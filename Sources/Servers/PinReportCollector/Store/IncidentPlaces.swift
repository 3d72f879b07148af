/// The places of incidents, by which stores decide what to remove beyond the limit of incidents.
///
/// Anyone can send forged reports, so an attacker can make incidents with any app, host, key and number of reports.
/// Only the number of reports that the attacker must send is a cost. Incidents are therefore in groups by their number
/// of reports, each with places of its own, and within a group the incident without a report for the longest time is
/// removed first:
///
/// - A new incident is in the first group, which has half of the places. Only newer incidents of this group can
///   displace it, however many reports older forged incidents have.
/// - An incident with many reports is displaced only by as many incidents with as many reports, all of them newer.
///
/// A person who changes the state of an incident gives it a place in the last group, which an attacker cannot do.
enum IncidentPlaces {
    /// The smallest number of reports of the groups after the first one.
    private static let bounds: [Int64] = [2, 4, 16, 256]

    /// Returns the SQL expression for an incident's group, from 0. The columns `count` and `state` have the same names
    /// in each engine.
    static var group: String {
        let last = bounds.count
        let cases = bounds.enumerated().reversed().map { "WHEN count >= \($1) THEN \($0 + 1)" }
        return "CASE WHEN state <> 'new' THEN \(last) \(cases.joined(separator: " ")) ELSE 0 END"
    }

    /// Returns the number of places of each group. The sum is the limit.
    static func places(_ limit: Int) -> [Int] {
        let share = max(0, limit) / 8
        let middle = [Int](repeating: share, count: bounds.count - 1)
        let first = max(0, limit) / 2
        return [first] + middle + [max(0, limit) - first - middle.reduce(0, +)]
    }

    /// Returns the SQL expression for the number of places of the group in the column `place`.
    static func places(ofGroupIn limit: Int) -> String {
        let cases = places(limit).enumerated().map { "WHEN \($0) THEN \($1)" }
        return "CASE place \(cases.joined(separator: " ")) ELSE 0 END"
    }

    /// Returns the SQL query for the numbers of the incidents to remove, with the names of an engine's columns.
    ///
    /// If there are more incidents than the limit, at least one group has more than its places.
    static func surplus(limit: Int, lastSeen: String) -> String {
        """
        SELECT id FROM (
            SELECT id, place, seen, row_number() OVER (PARTITION BY place ORDER BY seen DESC, id DESC) AS rank_in_place
            FROM (SELECT id, \(lastSeen) AS seen, \(group) AS place FROM incident) AS placed
        ) AS ranked
        WHERE rank_in_place > \(places(ofGroupIn: limit)) AND (SELECT count(*) FROM incident) > \(limit)
        ORDER BY place, seen, id
        """
    }
}
