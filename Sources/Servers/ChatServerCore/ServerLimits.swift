import ChatWire

/// What peers may make the server keep.
package struct ServerLimits: Hashable, Sendable {
    /// Clients that the server knows at all.
    package var clients = 1_000
    /// Devices of one client; a further one takes the place of the oldest.
    package var devicesPerClient = 16
    /// Sockets that are open at a time.
    package var connections = 1_000
    /// Messages of one client; a further one takes the place of the oldest.
    package var messagesPerClient = 20_000
    /// Bytes of the messages of one client, as JSON; the oldest give way. The newest one stays, whatever it has.
    package var bytesPerClient = 16 << 20
    /// Bytes of all messages. Whoever has most of them loses his oldest, so that one who floods the server floods himself.
    package var messageBytes = 256 << 20
    /// Characters of a message; the documented bound.
    package var textLength = 4_000
    /// Files of a message.
    package var attachments = 20
    /// Characters of a client id, a uuid, a token or a search text.
    package var identifierLength = 256
    /// Messages of a history page.
    package var historyCount = 200
    /// Hits of a search page.
    package var searchSize = 100
    /// Unconfirmed messages that a client is sent when it comes back; the rest it finds in the history.
    package var unconfirmedMessages = 100
    /// Status changes of one frame.
    package var statusChanges = 1_000
    /// Bytes of a message as JSON, quotes and all.
    package var contentBytes = 64 * 1024
    /// Quotes of a message.
    package var quotes = 20
    /// Bytes of what a client says of himself.
    package var clientDataBytes = 16 * 1024
    /// Faults that are planned at a time.
    package var faults = 10_000
    /// Steps of scripts that wait for their time.
    package var pendingSteps = 10_000
    /// Frames that wait for their time.
    package var heldFrames = 10_000
    /// Steps that the bot plans ahead.
    package var botSteps = 10_000
    /// Nanoseconds that a socket has to register.
    package var registrationTime: Int64 = 30_000_000_000

    package init() {}
}

extension ServerLimits {
    /// Whether a client id, a uuid, a token or a search text is not too long.
    func accepts(identifier: String) -> Bool { identifier.utf8.count <= identifierLength }

    /// Why what a client says of itself is not taken; `nil` when it is.
    func refusal(of info: ClientInfo) -> ErrorAnswer? {
        let size = Content(.clientInfo(info)).json.text.utf8.count
        return size <= clientDataBytes ? nil : ErrorAnswer("client.info-too-large")
    }

    /// Why a content is too large to be kept; `nil` when it is not.
    func refusal(ofSizeOf content: Content) -> ErrorAnswer? {
        content.json.text.utf8.count <= contentBytes ? nil : ErrorAnswer("message.too-large")
    }

    /// Why a message is not taken; `nil` when it is.
    func refusal(of message: Content) -> ErrorAnswer? {
        let text = message.text ?? ""
        if text.isEmpty, message.attachments.isEmpty { return ErrorAnswer("message.empty") }
        if text.count > textLength { return ErrorAnswer("message.too-long") }
        if message.attachments.count > attachments { return ErrorAnswer("message.too-many-attachments") }
        if message.quotes.count > quotes { return ErrorAnswer("message.too-many-quotes") }
        return nil
    }
}
