/// All figures of a run.
struct Report: Codable {
    var rounds: Int
    var secondsPerSlice: Double
    var processors: Int
    var text: MessageText
    var comparisons: [Comparison] = []
    var idle: [IdleFigure] = []
}
