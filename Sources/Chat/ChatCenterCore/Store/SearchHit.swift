package import ChatWire

/// A message of the store that holds the words.
package struct SearchHit: Hashable, Sendable {
    package var id: MessageID
    package var position: MessagePosition
    /// The message itself. Whoever carries out the search fills it, from `page` where the store did not: without it only
    /// a message that is in memory can be shown.
    package var content: Content?

    package init(id: MessageID, position: MessagePosition, content: Content? = nil) {
        self.id = id
        self.position = position
        self.content = content
    }
}
