package import ChatWire

/// What an operator, or whoever plays one, does in a conversation.
package enum OperatorAction: Hashable, Sendable {
    /// Writes a message; a thread is opened if none is open.
    case says(String)
    /// Shows that he is typing.
    case types
    /// Has read all that the client wrote.
    case reads
    /// Changes the text of a message, named by its uuid or message id.
    case edits(message: String, text: String)
    /// Takes a message back.
    case deletes(message: String)
    /// Ends the conversation.
    case closesThread
    /// Sends any content: kept and part of the history, or for this moment only.
    case pushes(Content, isKept: Bool)
}
