package import HoldfastTrust
package import PinReports

/// Incidents as JSON and CSV, for other programs.
package enum IncidentExport {
    /// Returns the name of a CSV file with the first incidents of a list, or with all of them.
    package static func fileName(_ count: Int, isComplete: Bool) -> String {
        isComplete ? "incidents.csv" : "incidents-first-\(count).csv"
    }

    /// Returns incidents as JSON.
    ///
    /// - Parameters:
    ///   - incidents: The incidents of a page.
    ///   - next: The cursor of the next page, if there is one.
    package static func json(_ incidents: [IncidentSummary], next: String?) -> JSONNode.Value {
        .fields([
            ("incidents", .list(incidents.map { .fields(fields($0)) })), ("next", next.map { .string($0) } ?? .null),
        ])
    }

    /// Returns one incident as JSON.
    package static func json(_ detail: IncidentDetail, _ diagnoses: [IncidentDiagnosis]) -> JSONNode.Value {
        var members = fields(detail.summary)
        members.append(("appVersions", facets(detail.appVersions)))
        members.append(("policyVersions", facets(detail.policyVersions)))
        members.append(("platforms", facets(detail.platforms)))
        members.append(
            (
                "hours",
                .list(
                    detail.hours.map { .fields([("hour", .text($0.hour)), ("count", .number(String($0.count)))]) })
            ))
        members.append(("samples", .list(detail.samples.map { .number(String($0)) })))
        members.append(("knownPins", .list(detail.knownPins.map { .string($0) })))
        members.append(
            (
                "history",
                .list(
                    detail.history.map {
                        .fields([("state", .string($0.state.rawValue)), ("at", .text($0.at)), ("by", .string($0.by))])
                    })
            ))
        members.append(
            (
                "diagnoses",
                .list(
                    diagnoses.map {
                        .fields([
                            ("kind", .string($0.kind.rawValue)), ("title", .string($0.kind.title)),
                            ("evidence", .list($0.evidence.map { .string($0) })),
                        ])
                    })
            ))
        return .fields(members)
    }

    private static func facets(_ counts: [FacetCount]) -> JSONNode.Value {
        .list(
            counts.map {
                .fields([
                    ("value", $0.isOther ? .null : .string($0.value)), ("count", .number(String($0.count))),
                ])
            })
    }

    private static func fields(_ incident: IncidentSummary) -> [(String, JSONNode.Value?)] {
        var fields: [(String, JSONNode.Value?)] = []
        fields.append(("id", .number(String(incident.id))))
        fields.append(("app", .string(incident.key.app)))
        fields.append(("host", .string(incident.key.host)))
        fields.append(("result", incident.key.resultName.map { .string($0) } ?? .null))
        fields.append(("seenPin", incident.key.seenPin.map { .string($0) } ?? .null))
        fields.append(("state", .string(incident.state.rawValue)))
        fields.append(("firstSeen", .text(incident.firstSeen)))
        fields.append(("lastSeen", .text(incident.lastSeen)))
        fields.append(("reports", .number(String(incident.count))))
        fields.append(("clients", .number(String(incident.clients))))
        fields.append(("clientsExact", .bool(incident.isExact)))
        return fields
    }

    /// The first line of the CSV.
    package static let csvHeader = CSVText.line([
        "id", "app", "host", "result", "seenPin", "state", "firstSeen", "lastSeen", "reports", "clients",
        "clientsExact",
    ])

    /// Returns incidents as lines of CSV, without the first line.
    package static func csv(_ incidents: [IncidentSummary]) -> String {
        incidents.map { incident in
            CSVText.line([
                String(incident.id), incident.key.app, incident.key.host, incident.key.resultName ?? "",
                incident.key.seenPin ?? "", incident.state.rawValue, incident.firstSeen.description,
                incident.lastSeen.description, String(incident.count), String(incident.clients),
                String(incident.isExact),
            ])
        }.joined()
    }
}

extension IncidentKey {
    /// The result in TrustKit's terms; `nil` for reports of RFC 7469, and for unknown numbers.
    package var trustKitResult: TrustKitResult? { result.flatMap { TrustKitResult(rawValue: $0) } }

    /// The name of the result; its number if it is unknown.
    package var resultName: String? { result.map { TrustKitResult(rawValue: $0)?.name ?? String($0) } }
}
