import ChatWire

/// The limits on what clients can make the server store.
package struct ServerLimits: Hashable, Sendable {
    /// The maximum number of clients.
    ///
    /// - Error: `server.full`
    package var clients = 1_000
    /// The maximum number of devices per client; a new one replaces the oldest.
    package var devicesPerClient = 16
    /// The maximum number of open sockets.
    ///
    /// - Error: close code 1013
    package var connections = 1_000
    /// The maximum number of messages per client; a new one replaces the oldest.
    package var messagesPerClient = 20_000
    /// The maximum size of a client's messages as JSON, in bytes. The oldest are removed; the newest stays, whatever
    /// its size.
    package var bytesPerClient = 16 << 20
    /// The maximum size of all messages in bytes. The client with most of them loses its oldest, so that flooding the
    /// server only affects the client that does it.
    package var messageBytes = 256 << 20
    /// The maximum number of characters of a message, as documented.
    ///
    /// - Error: `message.too-long`
    package var textLength = 4_000
    /// The maximum number of files of a message.
    ///
    /// - Error: `message.too-many-attachments`
    package var attachments = 20
    /// The maximum length of a client id, a uuid, the id of a note or a search text in bytes.
    ///
    /// - Error: `client.invalid`, `message.uuid`, `search.query-too-long`
    package var identifierLength = 256
    /// The maximum number of messages of a history page. A larger number in a request counts as this one.
    package var historyCount = 200
    /// The maximum number of results of a search page. A larger number in a request counts as this one.
    package var searchSize = 100
    /// The maximum number of unconfirmed messages that a reconnecting client is sent. It loads the rest from the
    /// history.
    package var unconfirmedMessages = 100
    /// The maximum number of status changes in a frame.
    ///
    /// - Error: `statuses.too-many`
    package var statusChanges = 1_000
    /// The maximum size of a message as JSON with its quotes, in bytes.
    ///
    /// - Error: `message.too-large`
    package var contentBytes = 64 * 1024
    /// The maximum number of quotes of a message.
    ///
    /// - Error: `message.too-many-quotes`
    package var quotes = 20
    /// The maximum size of a client's information in bytes.
    ///
    /// - Error: `client.info-too-large`
    package var clientDataBytes = 16 * 1024
    /// The maximum number of planned faults.
    ///
    /// - Error: 422 `tooMany`
    package var faults = 10_000
    /// The maximum number of waiting script steps. Further steps are skipped, and a note is logged.
    package var pendingSteps = 10_000
    /// The maximum number of waiting frames. Further frames are sent at once.
    package var heldFrames = 10_000
    /// The maximum number of planned steps of the bot. The bot does not answer further messages, and a note is logged.
    package var botSteps = 10_000
    /// The time that a socket has to register, in nanoseconds.
    ///
    /// - Error: close code 1008
    package var registrationTime: Int64 = 30_000_000_000
    /// The limits of the operator desk.
    package var desk = DeskLimits()

    package init() {}
}

extension ServerLimits {
    /// Returns whether a client id, a uuid, a token or a search text is within the limit.
    func accepts(identifier: String) -> Bool { identifier.utf8.count <= identifierLength }

    /// Returns why a client's information is refused; `nil` if it is accepted.
    func refusal(of info: ClientInfo) -> ErrorAnswer? {
        let size = Content(.clientInfo(info)).json.text.utf8.count
        return size <= clientDataBytes ? nil : ErrorAnswer("client.info-too-large")
    }

    /// Returns why a content is too large to be stored; `nil` if it is not.
    func refusal(ofSizeOf content: Content) -> ErrorAnswer? {
        content.json.text.utf8.count <= contentBytes ? nil : ErrorAnswer("message.too-large")
    }

    /// Returns why a message is refused; `nil` if it is accepted.
    func refusal(of message: Content) -> ErrorAnswer? {
        let text = message.text ?? ""
        if text.isEmpty, message.attachments.isEmpty { return ErrorAnswer("message.empty") }
        if text.count > textLength { return ErrorAnswer("message.too-long") }
        if message.attachments.count > attachments { return ErrorAnswer("message.too-many-attachments") }
        if message.quotes.count > quotes { return ErrorAnswer("message.too-many-quotes") }
        return nil
    }
}
