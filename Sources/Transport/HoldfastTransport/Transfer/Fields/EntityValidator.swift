import HoldfastBase
import HTTPTypes

/// A validator that shows whether two responses are parts of the same bytes.
enum EntityValidator: Hashable, Sendable, Codable {
    /// A strong entity tag, including its quotes.
    case tag(String)
    /// `Last-Modified`, as it was sent.
    case modified(String)

    /// The maximum length of a validator. Longer ones are not stored, because they would only enlarge the record file.
    static let maximumLength = 1024

    /// Creates the strong validator of a response; `nil` if it has none, in which case a download cannot be resumed.
    ///
    /// A weak tag means "equivalent", not "the same bytes" (RFC 9110, 8.8.1). A date is used only if the server's
    /// `Date` is at least one minute later, because a file can be written twice in one second. RFC 9110, 8.8.2.2 asks
    /// for one second, but the clocks of several machines behind one name differ by more.
    ///
    /// A date is also ignored if the response varies by fields other than `Accept-Encoding` and `Origin`, for example
    /// by credentials. A tag is unique for all variants of a URL; a date is not.
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

    /// The value for `If-Range`.
    var field: String {
        switch self {
        case .tag(let text), .modified(let text): text
        }
    }

    /// Returns whether a `206` response belongs to the same bytes. It must repeat a tag (RFC 9110, 15.3.7), but may
    /// omit the date.
    func matches(_ response: HTTPResponse) -> Bool {
        switch self {
        case .tag(let tag):
            return response.headerFields[values: .eTag] == [tag]
        case .modified(let date):
            let dates = response.headerFields[values: .lastModified]
            return dates.isEmpty || dates == [date]
        }
    }

    /// Whether the validator, which may come from a file, can be sent in a request.
    var isValid: Bool {
        switch self {
        case .tag(let tag): Self.isStrongTag(tag[...])
        case .modified(let date): HTTPDate(date) != nil
        }
    }

    /// Returns whether requests for the same URL may receive other bytes. Downloads accept no coding and send no
    /// origin.
    private static func varies(_ response: HTTPResponse) -> Bool {
        response.headerFields[values: .vary].contains { value in
            value.listElements.contains { member in
                let name = member.lowercased()
                return name != "" && name != "accept-encoding" && name != "origin"
            }
        }
    }

    /// Returns whether a text is a single strong entity tag (RFC 9110, 8.8.3) of at most ``maximumLength`` bytes.
    static func isStrongTag(_ text: Substring) -> Bool {
        let bytes = text.utf8
        guard (2...maximumLength).contains(bytes.count), bytes.first == 0x22, bytes.last == 0x22 else { return false }
        return bytes.dropFirst().dropLast().allSatisfy { $0 == 0x21 || (0x23...0x7E).contains($0) }
    }
}
