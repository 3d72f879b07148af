/// Markup of a page. The literals in the source are markup; every interpolated text is escaped, also in attributes.
///
/// Nothing that a person or a server has written can therefore become markup: there is no way to interpolate a text
/// without escaping it.
package struct HTML: ExpressibleByStringInterpolation, Sendable, Hashable {
    package private(set) var text: String

    package init(stringLiteral markup: StaticString) {
        text = markup.description
    }

    package init(stringInterpolation: StringInterpolation) {
        text = stringInterpolation.text
    }

    /// Joins parts without a separator.
    package init(_ parts: [HTML]) {
        text = parts.map(\.text).joined()
    }

    /// The markup in UTF-8.
    package var bytes: [UInt8] { Array(text.utf8) }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var text = ""

        package init(literalCapacity: Int, interpolationCount: Int) {
            text.reserveCapacity(literalCapacity + interpolationCount * 16)
        }

        package mutating func appendLiteral(_ markup: StaticString) { text += markup.description }
        package mutating func appendInterpolation(_ value: String) { text += HTML.escaped(value) }
        package mutating func appendInterpolation(_ number: some FixedWidthInteger) { text += String(number) }
        package mutating func appendInterpolation(_ html: HTML) { text += html.text }
        package mutating func appendInterpolation(_ parts: [HTML]) { for part in parts { text += part.text } }
        /// Appends nothing for `nil`.
        package mutating func appendInterpolation(_ html: HTML?) { if let html { text += html.text } }
    }

    /// Replaces the characters that have a meaning in markup. Control characters become U+FFFD, as in XML 1.0.
    package static func escaped(_ text: String) -> String {
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
