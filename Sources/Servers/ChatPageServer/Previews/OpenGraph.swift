/// The description of a page by its own head: OpenGraph properties, or the title and the description of HTML.
///
/// The reader finds tags only. It does not build a document, runs nothing, and takes time linear in the length. The
/// values are plain text: a view that shows them must escape them.
struct OpenGraph: Hashable, Sendable {
    /// The title.
    var title: String?
    /// The description.
    var description: String?
    /// The name of the site.
    var site: String?
    /// The reference to a picture, relative to the page.
    var image: String?

    /// The maximum number of characters of the title and of the site's name. A longer text is cut and ends with an
    /// ellipsis.
    static let titleLimit = 200
    /// The maximum number of characters of the description. A longer text is cut and ends with an ellipsis.
    static let descriptionLimit = 500
    /// The maximum number of tags that are read. Further ones are ignored.
    static let tagLimit = 2_000

    /// Whether the page describes itself.
    var isEmpty: Bool { title == nil && description == nil && image == nil }

    /// Reads the head of a page in UTF-8. Other encodings are read as far as they agree with ASCII.
    init(page: [UInt8]) {
        var scanner = TagScanner(page)
        var plain = OpenGraph()
        var tags = 0
        while tags < Self.tagLimit, let tag = scanner.next() {
            tags += 1
            switch tag.name {
            case "body", "/head": scanner.stop()
            case "script", "style", "noscript", "template", "svg": scanner.skip(to: tag.name)
            case "title" where plain.title == nil:
                plain.title = Self.text(scanner.content(until: "title"), limit: Self.titleLimit)
            case "meta": take(tag, &plain)
            default: break
            }
        }
        title = title ?? plain.title
        description = description ?? plain.description
        image = image ?? plain.image
    }

    private init() {}

    private mutating func take(_ tag: TagScanner.Tag, _ plain: inout OpenGraph) {
        guard let content = tag["content"], let name = (tag["property"] ?? tag["name"])?.lowercased() else { return }
        switch name {
        case "og:title": title = title ?? Self.text(content, limit: Self.titleLimit)
        case "og:description": description = description ?? Self.text(content, limit: Self.descriptionLimit)
        case "og:site_name": site = site ?? Self.text(content, limit: Self.titleLimit)
        case "og:image", "og:image:url", "og:image:secure_url": image = image ?? Self.reference(content)
        case "twitter:title": plain.title = plain.title ?? Self.text(content, limit: Self.titleLimit)
        case "description", "twitter:description":
            plain.description = plain.description ?? Self.text(content, limit: Self.descriptionLimit)
        case "twitter:image": plain.image = plain.image ?? Self.reference(content)
        default: break
        }
    }

    /// Returns text for people: entities decoded once, white space joined, and without control and format characters,
    /// which could change the direction of other text. `nil` if nothing remains.
    static func text(_ source: String, limit: Int) -> String? {
        var result = ""
        var isSpace = false
        for scalar in HTMLEntities.decode(source).unicodeScalars {
            if scalar.properties.isWhitespace {
                isSpace = true
                continue
            }
            switch scalar.properties.generalCategory {
            case .control, .surrogate, .privateUse, .unassigned, .lineSeparator, .paragraphSeparator: continue
            // Joiners connect emoji and letters of some scripts.
            case .format where scalar.value != 0x200D && scalar.value != 0x200C: continue
            default: break
            }
            if isSpace, !result.isEmpty { result.append(" ") }
            isSpace = false
            result.unicodeScalars.append(scalar)
            if result.utf8.count >= limit * 8 { break }
        }
        guard !result.isEmpty else { return nil }
        return result.count > limit ? result.prefix(limit - 1) + "…" : result
    }

    private static func reference(_ source: String) -> String? {
        let decoded = HTMLEntities.decode(source)
        let text = String(decoded.drop(while: \.isWhitespace).reversed().drop(while: \.isWhitespace).reversed())
        return text.isEmpty || text.utf8.count > PreviewAddress.maximumLength ? nil : text
    }
}
