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
    /// - `massPushMessage` (a Boolean), `type` = `MASS_PUSH` or a `campaign` marks a mass mailing. The campaign is its
    ///   name, or an object with `id` or `name`.
    /// - `chatMessageId`, `uuid` or `messageId` contains the message's id. Without one, the campaign's `id` is used.
    /// - `text`, `message` or `aps.alert` (text, or an object with `body`) contains its text.
    package init?(notification: JSONObject) {
        let campaign = notification.campaignName
        let isMassPush =
            notification["massPushMessage"]?.boolValue == true || notification["type"] == .string("MASS_PUSH")
            || campaign != nil
        guard isMassPush, let id = notification.messageIdentifier ?? campaign else { return nil }
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

extension JSONObject {
    /// The id of the message that a push notification announces.
    package var messageIdentifier: String? {
        ["chatMessageId", "uuid", "messageId"].lazy.compactMap { self[$0]?.identifier }.first
    }

    /// The name of the campaign that a push notification belongs to; `nil` for an ordinary notification.
    package var campaignName: String? {
        guard let object = self["campaign"]?.objectValue else { return self["campaign"]?.identifier }
        return object["id"]?.identifier ?? object["name"]?.identifier
    }
}

extension JSONValue {
    /// A text that is not empty and at most 256 bytes long, or a whole number.
    fileprivate var identifier: String? {
        guard let text = stringValue ?? integerValue.map({ String($0) }) else { return nil }
        return text.isEmpty || text.utf8.count > 256 ? nil : text
    }
}
