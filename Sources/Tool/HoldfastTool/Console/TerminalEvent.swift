/// Something that a program with a prompt tells: to a person, to a pipe, or as JSON.
protocol TerminalEvent {
    /// Whether it is what the program is there for, and goes to standard output.
    var isOutput: Bool { get }
    /// The lines for a person. Empty: nothing is said of it. Nothing in them can move a cursor.
    var lines: [String] { get }
    /// What a program that reads standard output without `--json` gets; `nil`: people alone are told.
    var plainText: String? { get }
    /// One object on one line, without a line break at its end.
    ///
    /// - Parameter time: The time since the command began.
    func json(at time: Duration) -> String
}
