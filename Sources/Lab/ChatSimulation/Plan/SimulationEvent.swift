/// An event from outside of the two cores: an action of a user or an operator, or a fault.
package enum SimulationEvent: Hashable, Sendable {
    // Users.
    case send(client: Int, files: Int)
    case answerSurvey(client: Int)
    case resend(client: Int)
    case discard(client: Int)
    case typed(client: Int)
    case loadOlder(client: Int)
    case reload(client: Int)
    case askUnreadCount(client: Int)
    case search(client: Int)
    /// The user searches on the screen and downloads files.
    case browse(client: Int)
    case openScreen(client: Int)
    case closeScreen(client: Int)
    /// The app enters the background for a number of milliseconds.
    case background(client: Int, for: Int64)
    /// The user logs out. The same or another user is authorized after a number of milliseconds.
    case logout(client: Int, next: Int, after: Int64)
    case deauthorize(client: Int, next: Int, after: Int64)
    /// Another user is authorized without a logout of the current one.
    case handOver(client: Int, next: Int)

    // Operators.
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
    /// The description of the event, without the names of modules.
    package var text: String {
        if case .fault(let fault) = self { return fault.text }
        return Self.short("\(self)")
    }

    /// Removes the names that `description` puts before the cases of nested enums.
    static func short(_ text: String) -> String {
        text.replacing("ChatSimulation.", with: "").replacing("Fault.Direction.", with: "")
            .replacing("Fault.CallFailure.", with: "")
    }
}

extension Fault {
    /// The description of the fault in one line.
    package var text: String { SimulationEvent.short("\(self)") }
}
