/// What a script, or whoever talks to the operators' interface, does.
package enum ScriptAction: Hashable, Sendable {
    /// An operator's part of a conversation.
    case act(OperatorAction, ScriptTarget)
    /// Faults that happen once, so many times in a row.
    case plan(ServerFault, times: Int)
    /// The way to all clients from now on.
    case network(NetworkConditions)
    /// The tokens that are accepted from now on.
    case access(AccessRule)
    /// Other settings for all clients, pushed live.
    case settings(SettingsChange)
    /// What new connections are shown of the server.
    case identity(String)
    /// Sockets are closed with a code, which is one that a close frame may carry.
    case close(code: UInt16, reason: String, ScriptTarget)
    /// Sockets are cut.
    case cut(ScriptTarget)
}
