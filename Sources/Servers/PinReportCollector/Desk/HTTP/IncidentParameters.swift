import HTTPTypes
import HoldfastTrust
import PinReportDesk
import PinReports
import ServerKit

/// The parameters of the list of incidents. Empty parameters, as forms send them, do not count. Unknown and malformed
/// ones are refused, because ignoring a filter would show more than was requested.
struct IncidentParameters {
    /// The filter as typed.
    private(set) var filter = IncidentFilter()
    /// The query for the store.
    private(set) var query = IncidentQuery()

    init(_ text: Substring?) throws(DeskFailure) {
        let fields: FormFields
        do throws(FormFields.Malformed) {
            fields = try FormFields(query: text ?? "")
        } catch {
            throw Self.invalid("The query is not of the form name=value&name=value.")
        }
        let known: Set<String> = ["app", "host", "state", "since", "before", "limit"]
        guard fields.values.keys.allSatisfy(known.contains) else {
            throw Self.invalid("Unknown parameter. Known parameters: \(known.sorted().joined(separator: ", ")).")
        }
        func value(_ name: String) -> String? { fields[name].flatMap { $0.isEmpty ? nil : $0 } }
        if let app = value("app") {
            guard app.utf8.count <= 512 else { throw Self.invalid("The app's identifier is too long.") }
            (filter.app, query.app) = (app, app)
        }
        if let text = value("host") {
            guard let host = try? CanonicalHost(text) else {
                throw Self.invalid("The host is not a valid host name or address.")
            }
            (filter.host, query.host) = (host.text, host.text)
        }
        if let text = value("state") {
            guard let state = IncidentState(rawValue: text) else { throw Self.invalid("The state is not known.") }
            (filter.state, query.state) = (state, state)
        }
        if let text = value("since") {
            guard let since = Timestamp(iso8601: text) else {
                throw Self.invalid("The time is not a date, as in 2026-03-01.")
            }
            (filter.since, query.since) = (text, since)
        }
        if let text = value("before") {
            guard let before = IncidentCursor(text: text) else { throw Self.invalid("The position is not valid.") }
            query.before = before
        }
        if let text = value("limit") {
            guard let limit = Int(text), IncidentQuery.limits.contains(limit) else {
                throw Self.invalid(
                    "The limit must be \(IncidentQuery.limits.lowerBound) to \(IncidentQuery.limits.upperBound).")
            }
            query.limit = limit
        }
    }

    /// The filter as a query, for links.
    var text: String {
        let pairs = [
            ("app", filter.app), ("host", filter.host), ("state", filter.state?.rawValue ?? ""),
            ("since", filter.since),
        ]
        return pairs.filter { !$0.1.isEmpty }.map { "\($0.0)=\(Self.encoded($0.1))" }.joined(separator: "&")
    }

    /// The query of the next page.
    func text(before cursor: IncidentCursor) -> String {
        (text.isEmpty ? "" : text + "&") + "before=" + Self.encoded(cursor.text)
    }

    /// Percent-encodes everything except the unreserved characters (RFC 3986, section 2.3).
    private static func encoded(_ text: String) -> String {
        var result = ""
        for byte in text.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
                UInt8(ascii: "~"):
                result.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                result += digits.utf8.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        return result
    }

    private static func invalid(_ reason: String) -> DeskFailure { DeskFailure(.badRequest, "invalidQuery", reason) }
}
