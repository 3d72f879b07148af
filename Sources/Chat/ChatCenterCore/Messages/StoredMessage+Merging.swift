import ChatWire

extension StoredMessage {
    /// Returns the message updated with an item from the server, which repeats the message or confirms an own one.
    func merged(with item: Incoming) -> StoredMessage {
        var message = self
        if let serverID = item.serverID { message.serverID = serverID }
        switch state {
        case .own(let delivery):
            if !delivery.isConfirmed {
                message.content = item.content
                if let time = item.time { message.position.time = time }
            } else if item.content.modified != nil {
                message.content = content.updated(to: item.content)
            }
            let seen: Delivery = item.content.read == true ? .read : .sent
            message.state = .own(seen.rank > delivery.rank ? seen : delivery)
        case .received(let reading):
            message.content = content.updated(to: item.content)
            message.state = .received(item.content.read == true ? .read : reading)
        }
        return message
    }
}

extension Content {
    /// Returns the content updated with newer data from the server. An answer that was sent before an edit or a
    /// deletion does not undo it.
    fileprivate func updated(to newer: Content) -> Content {
        if modified == .deleted { return self }
        var next = newer
        if modified == .edited, newer.modified == nil {
            next.text = text
            next.formattedText = formattedText
            next.modified = .edited
        }
        return next
    }
}
