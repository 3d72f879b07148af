/// What the title of the screen says.
public enum ChatScreenTitle: Hashable, Sendable {
    /// There is no connection yet.
    case connecting
    /// Nobody is asked for yet.
    case opened
    /// The dialog waits in a queue.
    case waiting
    /// An operator is looked for, or another one than before.
    case waitingForSpecialist
    /// This operator answers.
    case working(ChatOperator)
    /// This operator types; `nil` when the server did not say who.
    case typing(String?)
}
