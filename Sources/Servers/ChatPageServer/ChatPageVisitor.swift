import Crypto
import HoldfastBase

/// A person who uses the page, as the app knows them: one SDK session for each.
public struct ChatPageVisitor: Hashable, Sendable, CustomStringConvertible {
    /// The app's identifier of the person. It never reaches the browser.
    public let id: String

    /// Creates a visitor with the app's identifier of the person, such as a customer number.
    public init(_ id: String) {
        self.id = id
    }

    /// A name for the folder of the visitor's store: 64 hexadecimal digits, whatever the identifier contains.
    public var folderName: String { digest("folder") }

    /// The name of the visitor's session on the page. It stays the same when the process starts again, so that a page
    /// can send its unsent messages.
    var sessionName: String { String(digest("session").prefix(24)) }

    /// The identifier is personal data, so that a description does not contain it.
    public var description: String { "visitor \(folderName.prefix(8))" }

    private func digest(_ purpose: String) -> String {
        Array(SHA256.hash(data: Array("holdfast.chat-page.\(purpose):\(id)".utf8))).hexadecimal
    }
}

/// The reason why a visitor cannot have a chat, for the page that the browser shows.
///
/// The closure of a ``ChatPageServer`` throws it. The browser shows the three texts as they are.
///
/// - Remedy: The browser shows the texts to the visitor. Correct what the app's closure reports.
public struct ChatPageRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// The heading.
    public var title: String
    /// One or two sentences for the visitor.
    public var text: String
    /// Further lines, such as the expected and the seen keys of a refused server.
    public var detail: [String]

    /// Creates a refusal.
    public init(title: String, text: String, detail: [String] = []) {
        self.title = title
        self.text = text
        self.detail = detail
    }

    /// The heading and the text.
    public var description: String { "\(title): \(text)" }
}
