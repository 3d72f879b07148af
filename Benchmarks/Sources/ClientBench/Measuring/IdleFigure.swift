/// How much memory a contestant's idle connection takes.
struct IdleFigure: Codable {
    var contestant: ContestantKind
    var isSecure: Bool
    var connections: Int
    var kibibytes: Double
}
