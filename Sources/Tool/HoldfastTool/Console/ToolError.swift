/// Why a command stopped: one sentence for the person at the terminal, and the exit code.
struct ToolError: Error, Hashable, CustomStringConvertible {
    /// The exit code.
    var status: ToolStatus
    /// One sentence, without a line break, and with nothing that a terminal would obey: part of it may be a peer's.
    let sentence: String

    /// More characters than any sentence has.
    private static let shownCharacters = 16 * 1024

    /// Makes an error; the input's fault unless another status is given.
    init(_ sentence: String, status: ToolStatus = .unusableInput) {
        self.sentence =
            TerminalText.lines(ErrorText.plain(sentence), limit: Self.shownCharacters).lines.joined(separator: " ")
        self.status = status
    }

    /// Puts any error into one sentence.
    init(describing error: any Error) {
        if let error = error as? ToolError {
            self = error
        } else {
            self.init(ErrorText.sentence(error))
        }
    }

    /// The same error with another clause behind its sentence.
    func adding(_ clause: String) -> ToolError {
        ToolError("\(sentence); \(clause)", status: status)
    }

    var description: String { sentence }
}
