extension Happening {
    /// What happens, without the names of modules in it.
    package var text: String {
        if case .fault(let fault) = self { return fault.text }
        return Self.short("\(self)")
    }

    /// Drops the names that `description` puts before the cases of enums within enums.
    static func short(_ text: String) -> String {
        text.replacing("ChatSimulation.", with: "").replacing("Fault.Direction.", with: "")
            .replacing("Fault.CallFailure.", with: "")
    }
}

extension Fault {
    /// The fault in one line.
    package var text: String { Happening.short("\(self)") }
}
