import HoldfastTrust

/// A report as it is listed.
struct StoredReport: Hashable, Sendable {
    var id: Int64
    var receivedAt: Timestamp
    /// What was read of it when it came, as JSON.
    var details: String

    /// The report's fields behind its number and time. `body` is shown as the report itself.
    func json(body: [UInt8]? = nil) throws(JSONFault) -> JSONNode.Value {
        var fields: [(String, JSONNode.Value?)] = [
            ("id", .number(String(id))), ("receivedAt", .text(receivedAt)),
        ]
        if case .object(let members) = try JSONReader.read(Array(details.utf8)).value {
            fields += members.map { ($0.key, $0.value.value) }
        }
        if let body { fields.append(("report", try JSONReader.read(body).value)) }
        return .fields(fields)
    }
}
