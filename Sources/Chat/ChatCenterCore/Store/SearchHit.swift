package import ChatWire

/// A stored message that matches a search.
package struct SearchHit: Hashable, Sendable {
    package var id: MessageID
    package var position: MessagePosition
    /// The content of the message. If the store does not set it, the driver fills it from `page`. Without it, the hit
    /// can be shown only if the message is in memory.
    package var content: Content?

    package init(id: MessageID, position: MessagePosition, content: Content? = nil) {
        self.id = id
        self.position = position
        self.content = content
    }
}
