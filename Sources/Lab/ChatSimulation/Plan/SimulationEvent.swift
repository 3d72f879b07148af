/// Something that happens from outside of the two cores: a user does something, an operator, or a fault strikes.
package enum SimulationEvent: Hashable, Sendable {
    // A user.
    case send(client: Int, files: Int)
    case answerSurvey(client: Int)
    case resend(client: Int)
    case discard(client: Int)
    case typed(client: Int)
    case loadOlder(client: Int)
    case reload(client: Int)
    case askUnreadCount(client: Int)
    case search(client: Int)
    /// The user searches on the screen, and fetches files.
    case browse(client: Int)
    case openScreen(client: Int)
    case closeScreen(client: Int)
    /// The app is in the background for so many milliseconds.
    case background(client: Int, for: Int64)
    /// The user logs out and somebody, he or another, is authorised after so many milliseconds.
    case logout(client: Int, next: Int, after: Int64)
    case deauthorize(client: Int, next: Int, after: Int64)
    /// Another user is authorised over the first.
    case handOver(client: Int, next: Int)

    // An operator.
    case operatorSays(user: Int)
    case operatorEdits(user: Int)
    case operatorDeletes(user: Int)
    case operatorReads(user: Int)
    case operatorTypes(user: Int)
    case operatorClosesThread(user: Int)
    case operatorAsksSurvey(user: Int)

    case fault(Fault)
}

extension SimulationEvent {
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
    package var text: String { SimulationEvent.short("\(self)") }
}
