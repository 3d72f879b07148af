package import ChatServerCore

/// An operator's part of a conversation, played by the program: with one client, or with all that the server knows. Returns
/// when it is committed and on its way; from any thread. Without effect when the server does not run.
extension ChatDevServer {
    /// An operator writes to a client, or to all clients that the server knows.
    public func operatorSays(_ text: String, to clientID: String? = nil) async {
        await driver.take(.operatorActed(.says(text), clientID: clientID))
    }

    /// An operator shows that he is typing.
    public func operatorTypes(to clientID: String? = nil) async {
        await driver.take(.operatorActed(.types, clientID: clientID))
    }

    /// An operator has read all that a client wrote.
    public func operatorReads(from clientID: String? = nil) async {
        await driver.take(.operatorActed(.reads, clientID: clientID))
    }

    /// An operator ends the conversation.
    public func operatorClosesThread(of clientID: String? = nil) async {
        await driver.take(.operatorActed(.closesThread, clientID: clientID))
    }

    /// Hands the core an event: any operator's action, planned faults, other tokens.
    package func take(_ event: ServerEvent) async {
        await driver.take(event)
    }
}
