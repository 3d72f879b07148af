/// A message of the store that holds the words.
package struct SearchHit: Hashable, Sendable {
    package var id: MessageID
    package var position: MessagePosition

    package init(id: MessageID, position: MessagePosition) {
        self.id = id
        self.position = position
    }
}
