package import ChatWire

/// A mass mailing that the application was opened from: shown as a quote above the input field, and the next message is
/// bound to it.
package struct Campaign: Hashable, Sendable {
    /// The server's name for the message of the mailing.
    package var id: String
    package var text: String?

    package init(id: String, text: String?) {
        self.id = id
        self.text = text
    }

    /// Reads a notification. `nil` for an ordinary one, which only opens the chat.
    ///
    /// The keys are Holdfast's own reading, no public text names them: `massPushMessage` (a truth value) or `type` =
    /// `MASS_PUSH`, the message's name in `uuid` or `messageId`, its text in `text`, `message` or `aps.alert` (text, or an
    /// object with `body`).
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

    /// The quote that binds a message to it.
    var quote: Content {
        var quote = Content(.message, uuid: id, text: text)
        quote.massPushMessage = true
        return quote
    }
}
