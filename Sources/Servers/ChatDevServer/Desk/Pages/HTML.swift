/// Markup of a page. The literals in the source are markup; every interpolated text is escaped, also in attributes.
///
/// Nothing that a person or a server has written can therefore become markup: there is no way to interpolate a text
/// without escaping it.
struct HTML: ExpressibleByStringInterpolation, Sendable, Hashable {
    private(set) var text: String

    init(stringLiteral markup: StaticString) {
        text = markup.description
    }

    init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Joins parts without a separator.
    init(_ parts: [HTML]) {
        text = parts.map(\.text).joined()
    }

    /// The markup in UTF-8.
    var bytes: [UInt8] { Array(text.utf8) }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        mutating func appendLiteral(_ markup: StaticString) { text += markup.description }
        mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
        mutating func appendInterpolation(_ number: some FixedWidthInteger) { text += String(number) }
        mutating func appendInterpolation(_ html: HTML) { text += html.text }
        mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
        /// Appends nothing for `nil`.
        mutating func appendInterpolation(_ html: HTML?) { if let html { text += html.text } }
    }

    /// Replaces the characters that have a meaning in markup. Control characters become U+FFFD, as in XML 1.0.
    static func escaped(_ text: String) -> String {
        var result = ""
        result.reserveCapacity(text.utf8.count)
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            case "\n", "\t": result.unicodeScalars.append(scalar)
            case "\r": continue
            case "\u{0}"..."\u{1F}", "\u{7F}"..."\u{9F}": result += "\u{FFFD}"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
