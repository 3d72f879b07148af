/// A search for words in stored messages.
///
/// A message matches if each word of the query is a prefix of a word of its `searchableText`. Case is ignored. Deleted
/// messages never match.
package struct SearchQuery: Hashable, Sendable {
    package var text: String
    package var limit: Int

    package init(text: String, limit: Int) {
        self.text = text
        self.limit = limit
    }
}
