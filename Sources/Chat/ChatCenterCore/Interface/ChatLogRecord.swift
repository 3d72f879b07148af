/// A log record. It contains no token, no message text and no user data.
package struct ChatLogRecord: Hashable, Sendable {
    package enum Category: String, Hashable, Sendable {
        case info
        case rest
        case webSocket
        case error
    }

    package var category: Category
    package var message: String

    package init(_ category: Category, _ message: String) {
        self.category = category
        self.message = message
    }
}
