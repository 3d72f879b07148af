import HoldfastTrust

/// A stored report in a list.
struct StoredReport: Hashable, Sendable {
    var id: Int64
    var receivedAt: Timestamp
    /// The parsed report as JSON.
    var details: String

    /// Returns the report's number, time and other fields. `body` is included as the report itself.
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
