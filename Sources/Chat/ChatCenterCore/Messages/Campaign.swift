package import ChatWire

/// A mass mailing that the application was opened from. It is shown as a quote above the input field, and the next
/// message is linked to it.
package struct Campaign: Hashable, Sendable {
    /// The server's id of the mailing's message.
    package var id: String
    package var text: String?

    package init(id: String, text: String?) {
        self.id = id
        self.text = text
    }

    /// Reads a push notification. Returns `nil` for an ordinary notification, which only opens the chat.
    ///
    /// The keys are Holdfast's own choice, because no public document names them:
    /// - `massPushMessage` (a Boolean) or `type` = `MASS_PUSH` marks a mass mailing.
    /// - `uuid` or `messageId` contains the message's id.
    /// - `text`, `message` or `aps.alert` (text, or an object with `body`) contains its text.
    package init?(notification: JSONObject) {
        let isMassPush =
            notification["massPushMessage"]?.boolValue == true || notification["type"] == .string("MASS_PUSH")
        let id = ["uuid", "messageId"].lazy.compactMap { key in
            notification[key].flatMap { $0.stringValue ?? $0.integerValue.map(String.init) }
        }.first { !$0.isEmpty }
        guard isMassPush, let id else { return nil }
        let alert = notification["aps"]?.objectValue?["alert"]
        self.id = id
        text =
            notification["text"]?.stringValue ?? notification["message"]?.stringValue ?? alert?.stringValue
            ?? alert?.objectValue?["body"]?.stringValue
    }

    /// The quote that links a message to the mailing.
    var quote: Content {
        var quote = Content(.message, uuid: id, text: text)
        quote.massPushMessage = true
        return quote
    }
}
