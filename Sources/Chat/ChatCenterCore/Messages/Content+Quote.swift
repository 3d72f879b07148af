import ChatWire

extension Content {
    /// The message as another one quotes it: what a person recognises it by, and nothing that could nest.
    var asQuote: Content {
        var quote = Content(
            .message, uuid: uuid, messageID: messageID, operator: `operator`, text: text, receivedDate: receivedDate,
            attachments: attachments)
        quote.massPushMessage = massPushMessage
        return quote
    }
}
