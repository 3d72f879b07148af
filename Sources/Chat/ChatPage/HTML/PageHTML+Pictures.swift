extension PageHTML {
    /// The places of a theme's pictures.
    private enum Place {
        /// The picture takes the place of a button's text, which stays for screen readers.
        case button(StaticString)
        /// The picture precedes the text.
        case sign(StaticString)
        /// The picture takes the place of the letter for a missing photo.
        case photo(StaticString)
        /// The picture stands above the text, in a line of its own.
        case large(StaticString)
    }

    /// The elements that a theme's pictures belong to, by the names of the pictures.
    private static let places: KeyValuePairs<String, Place> = [
        "send": .button("#send"),
        "attach": .button(".attach label"),
        "record": .button("#record"),
        "stop": .button("#stop-record"),
        "play": .button(".play:not(.pause)"),
        "pause": .button(".play.pause"),
        "search": .button("#search-toggle"),
        "close": .button(":is(.close,#search-close)"),
        "scroll-to-newest": .button("#new-messages"),
        "retry": .sign(".foot .retry"),
        "file": .sign(".file:not(:has(.thumb,.voice,audio)) .name"),
        "avatar": .photo(".who:not(.mine) .photo:not(:has(img))"),
        "empty-chat": .large("#empty"),
    ]

    /// The names of the pictures that the page shows.
    static var pictureNames: [String] { places.map(\.key) }

    /// Returns the rules for the pictures of one theme.
    ///
    /// - Parameter paths: The paths of the pictures by their names. A path with a character that could end its text is
    ///   left out.
    static func pictureRules(_ paths: [String: String]) -> String {
        var rules = ""
        for (name, place) in places {
            guard let path = paths[name], isPath(path) else { continue }
            rules += Self.rules(place, "url(\"\(path)\")")
        }
        return rules
    }

    private static func rules(_ place: Place, _ url: String) -> String {
        switch place {
        case .button(let selector):
            let count = "\(selector) .count{font-size:.875rem;}"
            return "\(selector){font-size:0;}\(count)\(before(selector, url))\(selector):disabled::before{opacity:.5;}"
        case .sign(let selector):
            return "\(selector)::before{margin-inline-end:.35em;}" + before(selector, url)
        case .photo(let selector):
            return "\(selector){font-size:0;background:\(url) center/cover no-repeat;}"
        case .large(let selector):
            return "\(selector)::before{content:\"\";display:block;block-size:6rem;margin-block-end:1rem;"
                + "background:\(url) center/contain no-repeat;}"
        }
    }

    private static func before(_ selector: StaticString, _ url: String) -> String {
        "\(selector)::before{content:\"\";display:inline-block;inline-size:1.25rem;block-size:1.25rem;"
            + "vertical-align:middle;background:\(url) center/contain no-repeat;}"
    }

    /// Returns whether a path is relative and consists of lower-case letters, digits, hyphens and slashes.
    private static func isPath(_ path: String) -> Bool {
        !path.isEmpty && path.utf8.count <= 200 && !path.hasPrefix("/")
            && path.utf8.allSatisfy { byte in
                switch byte {
                case 0x30...0x39, 0x61...0x7A, UInt8(ascii: "-"), UInt8(ascii: "/"): true
                default: false
                }
            }
    }
}
