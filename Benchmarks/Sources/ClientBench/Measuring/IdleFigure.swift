/// The memory of a contestant's idle connection.
struct IdleFigure: Codable {
    var contestant: ContestantKind
    var isSecure: Bool
    var connections: Int
    var kibibytes: Double
}
