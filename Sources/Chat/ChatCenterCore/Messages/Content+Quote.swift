import ChatWire

extension Content {
    /// The message as a quote in another message: the parts by which the user recognizes it, without nested quotes.
    var asQuote: Content {
        var quote = Content(
            .message, uuid: uuid, messageID: messageID, operator: `operator`, text: text, receivedDate: receivedDate,
            attachments: attachments)
        quote.massPushMessage = massPushMessage
        return quote
    }
}
