/// Whom an action is about.
package enum ScriptTarget: Hashable, Sendable {
    /// The client, or the connection, that started the step; all of them where none did.
    case trigger
    case client(String)
    case everyone
}
