/// Words to look for in the messages of the store.
///
/// A message is found when each of the words begins a word of its `searchableText`, whatever the case. A message that its
/// author took back is not found.
package struct SearchQuery: Hashable, Sendable {
    package var text: String
    package var limit: Int

    package init(text: String, limit: Int) {
        self.text = text
        self.limit = limit
    }
}
