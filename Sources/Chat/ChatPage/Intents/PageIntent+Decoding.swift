import ChatCenterCore

extension PageIntent {
    /// The largest length of a message's id in bytes.
    ///
    /// - Error: `PageProtocolError.Code.invalidField`
    static let longestID = 512
    /// The largest length of a link in bytes.
    ///
    /// - Error: `PageProtocolError.Code.invalidField`
    static let longestURL = 8192
    /// The largest index of a button.
    ///
    /// - Error: `PageProtocolError.Code.invalidField`
    static let largestIndex: Int64 = 999

    /// Reads an intent from the fields of an HTML form.
    ///
    /// - Parameters:
    ///   - name: The name of the intent.
    ///   - form: The fields of the form. Other fields are ignored.
    /// - Throws: ``PageProtocolError`` if the intent is not known, or a field is missing or not valid.
    public init(name: String, form: [String: String]) throws(PageProtocolError) {
        try self.init(name: name, PageFields(form: form))
    }

    init(name: String, _ fields: PageFields) throws(PageProtocolError) {
        switch name {
        case "send": self = .send(id: try fields.newID("id"), text: try fields.text("text"))
        case "press":
            let index = try fields.integer("index")
            guard (0...Self.largestIndex).contains(index) else {
                throw .invalid("index", "a number from 0 to \(Self.largestIndex)")
            }
            self = .press(id: try fields.newID("id"), message: try fields.id("message"), index: Int(index))
        case "retry": self = .retry(message: try fields.id("message"))
        case "delete": self = .delete(message: try fields.id("message"))
        case "typed": self = .typed(text: try fields.text("text"))
        case "quote":
            let isQuote = try fields.optionalText("message") != nil
            self = .quote(message: try isQuote ? fields.id("message") : nil)
        case "loadOlder": self = .loadOlder
        case "rate":
            self = .rate(
                survey: try fields.id("survey"), question: try fields.integer("question"),
                rate: try fields.integer("rate"))
        case "comment": self = .comment(survey: try fields.id("survey"), text: try fields.text("text"))
        case "submit": self = .submit(survey: try fields.id("survey"))
        case "closeThread": self = .closeThread(request: try fields.id("request"))
        case "reopenThread": self = .reopenThread(request: try fields.id("request"))
        case "search": self = .search(text: try fields.text("text"))
        case "searchMore": self = .searchMore
        case "showContext": self = .showContext(message: try fields.id("message"))
        case "loadOlderContext": self = .loadOlderContext
        case "loadNewerContext": self = .loadNewerContext
        case "closeContext": self = .closeContext
        case "reload": self = .reload
        case "appeared": self = .appeared
        case "disappeared": self = .disappeared
        case "cancelUpload": self = .cancelUpload(message: try fields.id("message"))
        case "opened":
            let url = try fields.text("url")
            guard (1...Self.longestURL).contains(url.utf8.count), url.utf8.allSatisfy({ $0 > 0x20 && $0 != 0x7F })
            else {
                throw .invalid("url", "a URL of at most \(Self.longestURL) bytes")
            }
            self = .opened(url: url)
        default:
            throw PageProtocolError(.unknownIntent, field: "intent", reason: "The name of the intent is not known.")
        }
    }

    /// The name of the intent in a frame.
    public var name: String {
        switch self {
        case .send: "send"
        case .press: "press"
        case .retry: "retry"
        case .delete: "delete"
        case .typed: "typed"
        case .quote: "quote"
        case .loadOlder: "loadOlder"
        case .rate: "rate"
        case .comment: "comment"
        case .submit: "submit"
        case .closeThread: "closeThread"
        case .reopenThread: "reopenThread"
        case .search: "search"
        case .searchMore: "searchMore"
        case .showContext: "showContext"
        case .loadOlderContext: "loadOlderContext"
        case .loadNewerContext: "loadNewerContext"
        case .closeContext: "closeContext"
        case .reload: "reload"
        case .appeared: "appeared"
        case .disappeared: "disappeared"
        case .cancelUpload: "cancelUpload"
        case .opened: "opened"
        }
    }

    /// Returns whether a text is the id of a new message: a UUID in lower case.
    public static func isNewID(_ text: String) -> Bool {
        let bytes = Array(text.utf8)
        guard bytes.count == 36 else { return false }
        return bytes.indices.allSatisfy { index in
            switch index {
            case 8, 13, 18, 23: bytes[index] == UInt8(ascii: "-")
            default: (0x30...0x39).contains(bytes[index]) || (0x61...0x66).contains(bytes[index])
            }
        }
    }
}

extension PageFields {
    /// Returns the id of a message that exists.
    fileprivate func id(_ key: String) throws(PageProtocolError) -> MessageID {
        let text = try text(key)
        guard (1...PageIntent.longestID).contains(text.utf8.count) else {
            throw .invalid(key, "an id of 1 to \(PageIntent.longestID) bytes")
        }
        return MessageID(text)
    }

    /// Returns the id of a new message.
    fileprivate func newID(_ key: String) throws(PageProtocolError) -> MessageID {
        let text = try text(key)
        guard PageIntent.isNewID(text) else { throw .invalid(key, "a UUID in lower case") }
        return MessageID(text)
    }
}
