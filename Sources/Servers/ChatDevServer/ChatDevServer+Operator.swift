package import ChatServerCore

/// Operator actions, controlled by the program: in one client's conversation, or in all. Each method returns when the
/// action is committed and is being sent. Thread-safe. The methods have no effect when the server does not run.
extension ChatDevServer {
    /// Sends a message from an operator to a client, or to all known clients.
    public func operatorSays(_ text: String, to clientID: String? = nil) async {
        await driver.take(.operatorActed(.says(text), clientID: clientID))
    }

    /// Shows that an operator is typing.
    public func operatorTypes(to clientID: String? = nil) async {
        await driver.take(.operatorActed(.types, clientID: clientID))
    }

    /// Marks all messages of a client as read by an operator.
    public func operatorReads(from clientID: String? = nil) async {
        await driver.take(.operatorActed(.reads, clientID: clientID))
    }

    /// Closes a client's conversation.
    public func operatorClosesThread(of clientID: String? = nil) async {
        await driver.take(.operatorActed(.closesThread, clientID: clientID))
    }

    /// Passes an event to the core: an operator's action, planned faults or other tokens.
    package func take(_ event: ServerEvent) async {
        await driver.take(event)
    }
}
