import ChatCenterCore
import ChatPage
import ServerKit

/// The fields of a form.
struct FormFields: Hashable, Sendable {
    /// The maximum number of fields.
    static let limit = 32

    private var values: [String: String] = [:]

    /// Creates fields.
    init(_ values: [String: String]) {
        self.values = values
    }

    /// Parses `application/x-www-form-urlencoded` (URL standard, section 5). Throws ``PageFailure`` for a malformed
    /// body and for a repeated field.
    init(urlencoded bytes: [UInt8]) throws(PageFailure) {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw .invalid("form") }
        for pair in text.split(separator: "&") {
            let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let name = Self.decode(parts[0]), let value = Self.decode(parts[1]),
                values[name] == nil, values.count < Self.limit
            else { throw .invalid("form") }
            values[name] = value
        }
    }

    /// Returns the value of a field.
    subscript(name: String) -> String? { values[name] }

    private static func decode(_ text: Substring) -> String? {
        PercentDecoding.text(text.replacing("+", with: " "))
    }
}

extension PageIntent {
    /// Reads the intent of a form without JavaScript. The fields have the names of the page protocol.
    ///
    /// - Parameter makeID: Returns a new message id, for a form without one.
    init(form fields: FormFields, makeID: () -> String) throws(PageFailure) {
        func text(_ name: String, upTo limit: Int = 128) throws(PageFailure) -> String {
            guard let value = fields[name], !value.isEmpty, value.utf8.count <= limit else { throw .invalid(name) }
            return value
        }
        func message(_ name: String) throws(PageFailure) -> MessageID { MessageID(try text(name)) }
        func number(_ name: String) throws(PageFailure) -> Int64 {
            guard let value = Int64(try text(name)) else { throw .invalid(name) }
            return value
        }
        func newID() throws(PageFailure) -> MessageID {
            let id = fields["id"].flatMap { $0.isEmpty ? nil : $0 } ?? makeID()
            guard id.utf8.count <= 64 else { throw .invalid("id") }
            return MessageID(id)
        }
        let textLimit = PageRoutes.bodyLimit
        switch fields["intent"] {
        // Browsers send line breaks as CRLF.
        case "send":
            let body = (fields["text"] ?? "").replacing("\r\n", with: "\n")
            self = .send(id: try newID(), text: body)
        case "press":
            guard let index = Int(exactly: try number("index")) else { throw .invalid("index") }
            self = .press(id: try newID(), message: try message("message"), index: index)
        case "retry": self = .retry(message: try message("message"))
        case "delete": self = .delete(message: try message("message"))
        case "cancelUpload": self = .cancelUpload(message: try message("message"))
        case "quote": self = .quote(message: fields["message"].flatMap { $0.isEmpty ? nil : MessageID($0) })
        case "loadOlder": self = .loadOlder
        case "rate":
            self = .rate(survey: try message("survey"), question: try number("question"), rate: try number("rate"))
        case "comment": self = .comment(survey: try message("survey"), text: fields["text"] ?? "")
        case "submit": self = .submit(survey: try message("survey"))
        case "closeThread": self = .closeThread(request: try message("request"))
        case "reopenThread": self = .reopenThread(request: try message("request"))
        case "search": self = .search(text: String((fields["text"] ?? "").prefix(textLimit)))
        case "searchMore": self = .searchMore
        case "showContext": self = .showContext(message: try message("message"))
        case "loadOlderContext": self = .loadOlderContext
        case "loadNewerContext": self = .loadNewerContext
        case "closeContext": self = .closeContext
        case "reload": self = .reload
        default: throw .invalid("intent")
        }
    }
}
