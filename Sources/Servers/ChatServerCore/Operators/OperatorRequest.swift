package import ChatWire

/// A request of the operators' interface.
package enum OperatorRequest: Hashable, Sendable {
    /// Requests the server's overview.
    case overview
    /// Requests the clients in the order of their first appearance, from an offset.
    case clients(offset: Int, count: Int)
    case client(String)
    /// Requests a client's messages, including those outside the history, such as survey answers.
    case messages(clientID: String, HistoryRequest.Bound, count: Int)
    /// Executes an action, for this client if the action names none.
    case perform(ScriptAction, clientID: String?)
    /// Loads a script.
    case load(ServerScript)
}
