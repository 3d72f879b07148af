import PinReportDesk
import ServerMarkup

/// A path of the desk.
enum DeskRoute: Hashable, Sendable {
    case root
    case file(String)
    case signIn
    case signOut
    case incidents
    case incidentsJSON
    case incidentsCSV
    case incident(Int64)
    case incidentJSON(Int64)
    case draft(Int64)
    case state(Int64)
    case report(Int64)
    case reportJSON(Int64)
    case rollouts
    case events
    /// A path below the desk's root at which nothing is.
    case unknown

    /// Returns whether a path belongs to the desk.
    static func owns(_ path: String) -> Bool { path == DeskPaths.root || path.hasPrefix(DeskPaths.root + "/") }

    /// Creates the route of a path; `nil` if the path does not belong to the desk.
    init?(_ path: String) {
        guard Self.owns(path) else { return nil }
        switch path {
        case DeskPaths.root, DeskPaths.root + "/": self = .root
        case DeskPaths.signIn: self = .signIn
        case DeskPaths.signOut: self = .signOut
        case DeskPaths.incidents: self = .incidents
        case DeskPaths.incidentsJSON: self = .incidentsJSON
        case DeskPaths.incidentsCSV: self = .incidentsCSV
        case DeskPaths.rollouts: self = .rollouts
        case DeskPaths.events: self = .events
        default: self = Self.item(path) ?? .unknown
        }
    }

    /// Whether the method POST is meant.
    var isChange: Bool {
        switch self {
        case .signOut, .state: true
        default: false
        }
    }

    /// Whether programs may use the path with the readers' token.
    var isForPrograms: Bool {
        switch self {
        case .incidentsJSON, .incidentsCSV, .incidentJSON, .reportJSON, .draft: true
        default: false
        }
    }

    /// Whether a browser shows the response as a page.
    var isPage: Bool {
        switch self {
        case .events, .file: false
        default: !isForPrograms
        }
    }

    private static func item(_ path: String) -> DeskRoute? {
        if let file = ReportDeskFiles.all.first(where: { "\(DeskPaths.root)/\($0.name)" == path }) {
            return .file(file.name)
        }
        if let rest = rest(of: path, below: DeskPaths.incidents) {
            if let id = number(rest, suffix: ".json") { return .incidentJSON(id) }
            if let id = number(rest, suffix: "/state") { return .state(id) }
            if let id = number(rest, suffix: "/" + PolicyDraft.fileName) { return .draft(id) }
            return number(rest, suffix: "").map { .incident($0) }
        }
        guard let rest = rest(of: path, below: DeskPaths.reports) else { return nil }
        if let id = number(rest, suffix: ".json") { return .reportJSON(id) }
        return number(rest, suffix: "").map { .report($0) }
    }

    private static func rest(of path: String, below folder: String) -> Substring? {
        path.hasPrefix(folder + "/") ? path.dropFirst(folder.count + 1) : nil
    }

    private static func number(_ text: Substring, suffix: String) -> Int64? {
        guard text.hasSuffix(suffix) else { return nil }
        let digits = text.dropLast(suffix.count)
        guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let id = Int64(digits), id > 0 else { return nil }
        return id
    }
}
