package import ChatWire

/// What the operators' interface is asked for.
package enum OperatorRequest: Hashable, Sendable {
    /// The server as a whole.
    case overview
    /// The clients in the order of their first appearance, from a position on.
    case clients(offset: Int, count: Int)
    case client(String)
    /// A client's messages, with those that are no part of the history: answers to surveys.
    case messages(clientID: String, HistoryRequest.Bound, count: Int)
    /// Something is done, to this client where the action names none.
    case perform(ScriptAction, clientID: String?)
    /// Another script runs.
    case load(ServerScript)
}
