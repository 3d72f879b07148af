/// The figures of many chats in one process.
struct ScaleReport: Codable, Sendable {
    /// The parameters by their option names.
    var parameters: [String: String]
    var machine: Machine
    var figures: [Figure]

    /// The figures as a Markdown table.
    var markdown: String {
        """
        \(machine.processors) processors, load \(machine.load.joined(separator: " → ")), disk: \(machine.disk).

        ### Many chats in one process

        \(figures.markdownTable)
        """
    }
}
