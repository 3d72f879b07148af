/// The output of `holdfast demo --json`.
struct DemoOutput: Decodable {
    /// A step of the demo.
    struct Step: Decodable {
        var number: Int
        var chapter: String
        var name: String
        var mode: String
        var expected: String
        var observed: String
        var detail: String
        var lines: [String]
        var ok: Bool
        var milliseconds: Int
    }

    var passed: Bool
    var address: String
    var steps: [Step]
}
