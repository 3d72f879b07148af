/// An action of a script or of the operators' interface.
package enum ScriptAction: Hashable, Sendable {
    /// Executes an operator's action.
    case act(OperatorAction, ScriptTarget)
    /// Plans a fault, the given number of times.
    case plan(ServerFault, times: Int)
    /// Sets the network conditions.
    case network(NetworkConditions)
    /// Sets the accepted tokens.
    case access(AccessRule)
    /// Changes settings for all clients and pushes them.
    case settings(SettingsChange)
    /// Presents another identity to new connections.
    case identity(String)
    /// Closes sockets with a code that a close frame may contain.
    case close(code: UInt16, reason: String, ScriptTarget)
    /// Disconnects sockets without a close frame.
    case cut(ScriptTarget)
}
