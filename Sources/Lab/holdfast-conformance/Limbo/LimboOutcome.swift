/// What became of one case.
struct LimboOutcome: Encodable {
    var id: String
    var tier: String
    var expected: String
    var accepted: Bool
    var agrees: Bool
    var finding: String
    var reason: String
    var milliseconds: Double
}
