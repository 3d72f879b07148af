/// The paths of the desk.
package enum DeskPaths {
    package static let root = "/desk"
    package static let incidents = "/desk/incidents"
    package static let incidentsJSON = "/desk/incidents.json"
    package static let incidentsCSV = "/desk/incidents.csv"
    package static let reports = "/desk/reports"
    package static let rollouts = "/desk/roll-outs"
    package static let signIn = "/desk/sign-in"
    package static let signOut = "/desk/sign-out"
    package static let events = "/desk/events"

    /// The page of an incident.
    package static func incident(_ id: Int64) -> String { "\(incidents)/\(id)" }
    /// The page of a report.
    package static func report(_ id: Int64) -> String { "\(reports)/\(id)" }
    /// The form that changes the state of an incident.
    package static func state(_ id: Int64) -> String { "\(incidents)/\(id)/state" }
    /// The draft of a policy for an incident.
    package static func draft(_ id: Int64) -> String { "\(incidents)/\(id)/\(PolicyDraft.fileName)" }
}
