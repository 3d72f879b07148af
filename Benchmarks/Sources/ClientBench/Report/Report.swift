/// All figures of a run.
struct Report: Codable {
    var rounds: Int
    var secondsPerSlice: Double
    var processors: Int
    var comparisons: [Comparison] = []
    var idle: [IdleFigure] = []
    var peers: [ExternalClientFigure] = []
}
