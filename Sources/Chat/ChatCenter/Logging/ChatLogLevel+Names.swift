extension ChatLogLevel {
    /// The names of the kinds in the set, for the head of a line.
    var names: String {
        let known: [(ChatLogLevel, String)] = [
            (.info, "info"), (.rest, "rest"), (.webSocket, "webSocket"), (.userInterface, "userInterface"),
            (.error, "error"),
        ]
        return known.filter { contains($0.0) }.map(\.1).joined(separator: ",")
    }
}
