import HTTPTypes
import HoldfastTrust
import PinReports
import ServerKit

/// The parameters of a reader's request. Unknown, repeated and malformed parameters are refused, because ignoring a
/// filter would return more than was requested.
struct QueryItems {
    private var items: [String: String] = [:]

    init(_ query: Substring?) throws(RequestRefusal) {
        guard let query, !query.isEmpty else { return }
        for pair in query.split(separator: "&", omittingEmptySubsequences: false) {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
            guard parts.count == 2, !parts[0].isEmpty, items[parts[0]] == nil,
                let value = PercentDecoding.text(parts[1])
            else {
                throw RequestRefusal(.badRequest, "invalidQuery", "The query is not of the form name=value&name=value.")
            }
            items[parts[0]] = value
        }
    }

    /// Returns the requested page of the list.
    func page() throws(RequestRefusal) -> ReportQuery {
        try allow(["host", "result", "since", "before", "limit"])
        var query = ReportQuery(filter: try filter())
        query.before = try number("before", in: 1...Int64.max)
        if let limit = try number(
            "limit", in: Int64(ReportQuery.limits.lowerBound)...Int64(ReportQuery.limits.upperBound))
        {
            query.limit = Int(limit)
        }
        return query
    }

    /// Returns the filter of a summary.
    func summary() throws(RequestRefusal) -> ReportFilter {
        try allow(["host", "result", "since"])
        return try filter()
    }

    private func filter() throws(RequestRefusal) -> ReportFilter {
        var filter = ReportFilter()
        if let text = items["host"] {
            guard let host = try? CanonicalHost(text) else {
                throw invalid("host", "is not a valid host name or address")
            }
            filter.host = host
        }
        if let text = items["result"] {
            guard let result = TrustKitResult(named: text) else { throw invalid("result", "is not a TrustKit result") }
            filter.result = result
        }
        if let text = items["since"] {
            guard let since = Timestamp(iso8601: text) else {
                throw invalid("since", "is not a date, as in 2026-03-01")
            }
            filter.since = since
        }
        return filter
    }

    private func number(_ name: String, in range: ClosedRange<Int64>) throws(RequestRefusal) -> Int64? {
        guard let text = items[name] else { return nil }
        guard let number = Int64(text), range.contains(number) else {
            throw invalid(name, "must be a whole number from \(range.lowerBound) to \(range.upperBound)")
        }
        return number
    }

    /// Throws if there are other parameters.
    func allow(_ names: Set<String>) throws(RequestRefusal) {
        guard items.keys.allSatisfy(names.contains) else {
            let known = names.isEmpty ? "none" : names.sorted().joined(separator: ", ")
            throw RequestRefusal(.badRequest, "invalidQuery", "Unknown parameter. Known parameters: \(known).")
        }
    }

    private func invalid(_ name: String, _ what: String) -> RequestRefusal {
        var refusal = RequestRefusal(.badRequest, "invalidQuery", "The parameter \(what).")
        refusal.field = name
        return refusal
    }
}
