/// The title of the screen.
public enum ChatScreenTitle: Hashable, Sendable {
    /// The connection is not ready yet.
    case connecting
    /// The dialog with an operator has not started.
    case opened
    /// The dialog waits in a queue.
    case waiting
    /// The system is looking for an operator, or for another one.
    case waitingForSpecialist
    /// This operator answers.
    case working(ChatOperator)
    /// An operator is typing; the name is `nil` if the server did not send it.
    case typing(String?)
}
