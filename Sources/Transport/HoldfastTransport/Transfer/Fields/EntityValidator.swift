import HoldfastBase
import HTTPTypes

/// What tells whether two responses are parts of the same bytes.
enum EntityValidator: Hashable, Sendable, Codable {
    /// A strong entity tag, with its quotes.
    case tag(String)
    /// `Last-Modified`, as it was sent.
    case modified(String)

    /// Longer ones are not kept: they would only make the file beside the part larger.
    static let maximumLength = 1024

    /// The strong validator of a response; `nil` where there is none, and nothing can be resumed.
    ///
    /// A weak tag says "equivalent", not "the same bytes" (RFC 9110, 8.8.1). A date counts only if the server's own clock was at least a
    /// minute further when it answered: a file may be written twice in one second (8.8.2.2 asks for one; clocks of several
    /// machines behind one name differ by more). Nor does it count where the server chooses by other fields than the coding that is asked
    /// for, by the credentials for instance: a tag is unique for all that a URL may show, a date is not.
    init?(_ response: HTTPResponse) {
        let tags = response.headerFields[values: .eTag]
        if let tag = tags.first {
            guard tags.count == 1, Self.isStrongTag(tag[...]) else { return nil }
            self = .tag(tag)
            return
        }
        let dates = response.headerFields[values: .lastModified]
        guard !Self.varies(response), dates.count == 1, let text = dates.first, let modified = HTTPDate(text),
            let now = response.headerFields[.date].flatMap({ HTTPDate($0) }), now.seconds - modified.seconds >= 60
        else { return nil }
        self = .modified(text)
    }

    /// What `If-Range` says.
    var field: String {
        switch self {
        case .tag(let text), .modified(let text): text
        }
    }

    /// Whether a `206` belongs to the same bytes. It has to repeat a tag (RFC 9110, 15.3.7); it may leave the date out.
    func matches(_ response: HTTPResponse) -> Bool {
        switch self {
        case .tag(let tag):
            return response.headerFields[values: .eTag] == [tag]
        case .modified(let date):
            let dates = response.headerFields[values: .lastModified]
            return dates.isEmpty || dates == [date]
        }
    }

    /// Whether it can stand in a request: it may come from a file.
    var isValid: Bool {
        switch self {
        case .tag(let tag): Self.isStrongTag(tag[...])
        case .modified(let date): HTTPDate(date) != nil
        }
    }

    /// Whether requests of the same URL may get other bytes. Downloads ask for no coding, and tell no origin.
    private static func varies(_ response: HTTPResponse) -> Bool {
        response.headerFields[values: .vary].contains { value in
            value.listElements.contains { member in
                let name = member.lowercased()
                return name != "" && name != "accept-encoding" && name != "origin"
            }
        }
    }

    /// Whether a text is one strong entity tag (RFC 9110, 8.8.3) of no more than ``maximumLength`` bytes.
    static func isStrongTag(_ text: Substring) -> Bool {
        let bytes = text.utf8
        guard (2...maximumLength).contains(bytes.count), bytes.first == 0x22, bytes.last == 0x22 else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) }
    }
}
