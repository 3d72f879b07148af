/// Words to look for in the messages of the store.
package struct SearchQuery: Hashable, Sendable {
    package var text: String
    package var limit: Int

    package init(text: String, limit: Int) {
        self.text = text
        self.limit = limit
    }
}
