import Foundation
import Testing

@testable import ChatCenter

/// Every property of a theme has an effect on a token, and tokens are legible.
@Suite struct ThemeTokenTests {
    @Test("the list of changes is complete: components, flows, colors, images, typography and minimumContrast")
    func everyProperty() {
        let listed = Set(ThemeChanges.all.map(\.path))
        #expect(listed.count == ThemeChanges.all.count)
        #expect(Set(ThemeChanges.paths(of: ChatTheme())) == listed.union(["minimumContrast"]))
        // The short forms set the same properties.
        var theme = ChatTheme()
        theme.colors.main = ChatColor(1)
        theme.images.send = ChatThemeImage(system: "star")
        theme.typography.body = .system(size: 20)
        #expect(theme.components.colors.main == ChatColor(1) && theme.components.typography.body.size == 20)
        #expect(theme.components.images.send.source == .system("star"))
        #expect(theme == ChatTheme(components: theme.components))
    }

    @Test("each property changes a token", arguments: ThemeChanges.all.map(\.path))
    func effect(path: String) throws {
        let change = try #require(ThemeChanges.all.first { $0.path == path }).change
        #expect(!ThemeChanges.tokens(of: change).isEmpty, "\(path) is ignored")
    }

    private static let document = "Sources/Chat/ChatCenter/Documentation.docc/Theme.md"

    @Test("the page on themes lists each property with exactly the tokens that it changes")
    func page() throws {
        let rows = try Documents.rows(of: Self.document)
        let listed = rows.filter { $0.count == 3 && $0[0].hasPrefix("`") }.reduce(into: [String: Set<String>]()) {
            $0[$1[0].filter { $0 != "`" }] = Set($1[2].split(separator: ",").map { $0.filter { !" `".contains($0) } })
        }
        for (path, change) in ThemeChanges.all {
            let name = path.replacing(/^components\.(colors|images|typography)\./) { "\($0.output.1)." }
            #expect(listed[name] == ThemeChanges.tokens(of: change), "\(name)")
        }
        #expect(listed.count == ThemeChanges.all.count, "the page has a row for a property that does not exist")
    }

    /// The tokens that the page on themes lists as not drawn by the page (`1`) or by the view (`2`).
    private static func undrawn(column: Int) throws -> Set<String> {
        let rows = try Documents.rows(of: Self.document).filter { $0.count == 4 && $0[0].hasPrefix("`") }
        return Set(rows.filter { $0[column] == "no" }.map { $0[0].filter { $0 != "`" } })
    }

    @Test("the page and the view draw a token of each property")
    func drawn() throws {
        for column in [1, 2] {
            let undrawn = try Self.undrawn(column: column)
            #expect(!undrawn.isEmpty)
            for (path, change) in ThemeChanges.all {
                #expect(!ThemeChanges.tokens(of: change).isSubset(of: undrawn), "\(path) has no effect")
            }
        }
    }

    @Test("the page draws each token, except for those that the page on themes lists")
    func drawnByThePage() throws {
        let styles = try Documents.text(of: "Sources/Chat/ChatPage/Web/page.css")
        let script = try Documents.text(in: "Sources/Chat/ChatPage/Web/page", with: ["js"])
        let pictures = try Documents.text(of: "Sources/Chat/ChatPage/HTML/PageHTML+Pictures.swift")
        // `--accent: var(--chat-accent, …)` gives a token a short name, which must be used elsewhere.
        let name = /^ +--([a-z-]+): var\(--chat-/
        let lines = styles.split(separator: "\n")
        let uses = lines.filter { $0.firstMatch(of: name) == nil }.joined(separator: "\n")
        func isDrawn(_ token: String) -> Bool {
            if token.hasPrefix("image-") { return pictures.contains("\"\(token.dropFirst(6))\": .") }
            if token == "quick-replies" { return script.contains("body.dataset.quickReplies") }
            if uses.contains("[data-\(token)=") { return true }
            let value = ["var(--chat-\(token),", "var(--chat-\(token))"]
            return value.contains { uses.contains($0) }
                || lines.contains { line in
                    guard value.contains(where: { line.contains($0) }), let match = line.firstMatch(of: name) else {
                        return false
                    }
                    return uses.contains("var(--\(match.output.1))")
                }
        }
        let undrawn = try Self.undrawn(column: 1)
        for token in ThemeChanges.all.reduce(into: Set(), { $0.formUnion(ThemeChanges.tokens(of: $1.change)) }) {
            #expect(isDrawn(token) != undrawn.contains(token), "\(token)")
        }
    }

    @Test("a style of a screen takes precedence over the shared one, and that over the colors")
    func precedence() {
        var theme = ChatTheme(minimumContrast: 1)
        theme.components.inputViewStyle.textStyle.color = ChatColor(2)
        #expect(theme.tokens.colors["input-text"] == ChatColor(2))
        theme.flows.chatFlow.inputViewStyle.textStyle.color = ChatColor(3)
        #expect(theme.tokens.colors["input-text"] == ChatColor(3))
        theme.components.navigationBarStyle.hidden = true
        theme.flows.searchFlow.navigationBarStyle.hidden = false
        #expect(theme.tokens.numbers["title-hidden"] == 1 && theme.tokens.numbers["search-title-hidden"] == 0)
    }

    @Test("the tokens that pages and views rely on exist")
    func names() {
        let tokens = ChatTheme().tokens
        let colors = [
            "background", "surface", "text", "text-secondary", "accent", "on-accent", "incoming", "on-incoming",
            "outgoing", "on-outgoing", "link", "positive", "warning", "error", "error-surface", "border", "disabled",
        ]
        #expect(colors.allSatisfy { tokens.colors[$0] != nil })
        #expect(tokens.numbers["bubble-radius"] == 14 && tokens.numbers["font-size"] == 14)
        for pair in ChatThemeTokens.pairs {
            #expect(([pair.color] + pair.backgrounds).allSatisfy { tokens.colors[$0] != nil }, "\(pair)")
        }
    }

    /// Themes with colors that are hard to read.
    static let themes: [ChatTheme] = [
        ChatTheme(), .dark, ChatTheme(colors: ChatColors(link: ChatColor(0xFFFF00))),
        ChatTheme(colors: ChatColors(main: .white, secondary: .white, disabled: .white)),
        ChatTheme(colors: ChatColors(main: .black, background: .black, backgroundWhite: .black)),
        ChatTheme(colors: ChatColors(secondary: ChatColor(red: 0, green: 0, blue: 0, alpha: 40))),
    ]

    @Test("texts have the contrast of WCAG AA, and of AAA with high contrast", arguments: themes)
    func contrast(theme: ChatTheme) {
        func lowest(_ tokens: ChatThemeTokens, graphics: Bool) -> Double {
            ChatThemeTokens.pairs.filter { $0.isGraphic == graphics }.flatMap { pair in
                pair.backgrounds.compactMap { name in
                    tokens.colors[pair.color].flatMap { color in
                        tokens.colors[name].map { color.contrast(on: $0) }
                    }
                }
            }.min() ?? 0
        }
        #expect(lowest(theme.tokens, graphics: false) >= 4.5)
        #expect(lowest(theme.tokens, graphics: true) >= 3)
        let strong = theme.tokens.highContrast
        #expect(lowest(strong, graphics: false) >= 7 && lowest(strong, graphics: true) >= 7)
        #expect(strong.isDark == theme.tokens.isDark)
        #expect(strong.fonts == theme.tokens.fonts && strong.numbers == theme.tokens.numbers)
    }

    @Test("minimumContrast 1 keeps the colors of the app")
    func untouched() {
        let pale = ChatColor(0xFEFEFE)
        var theme = ChatTheme(colors: ChatColors(main: pale), minimumContrast: 1)
        #expect(theme.tokens.colors["text"] == pale)
        theme.minimumContrast = 4.5
        #expect(theme.tokens.colors["text"] != pale)
        for odd in [Double.nan, -.infinity, .infinity, 0, 1e9] {
            theme.minimumContrast = odd
            theme.components.messageCornerRadius = odd
            theme.typography.message.size = odd
            let tokens = theme.tokens
            #expect((0...40).contains(tokens.numbers["bubble-radius"] ?? -1))
            #expect(ChatFont.sizes.contains(tokens.numbers["font-size"] ?? 0))
        }
    }

    @Test("values in CSS notation contain nothing that ends a declaration")
    func styleValues() {
        var theme = ChatTheme()
        theme.typography.message = ChatFont(family: "Sans\"; } body { x: url(y)", size: 13.5, weight: .medium)
        let values = theme.tokens.styleValues
        #expect(values["font-message"] == "500 13.5px/1.4 \"Sans  body  x urly\", system-ui, sans-serif")
        #expect(values["bubble-radius"] == "14px" && values["incoming-avatar"] == "1")
        #expect(values["text"] == "#191e23ff" && values["quick-replies"] == "embed")
    }
}

/// The formulas for contrast.
@Suite struct ContrastTests {
    @Test(
        "known contrast ratios",
        arguments: [
            (0x000000, 0xFFFFFF, 21.0), (0xFFFFFF, 0xFFFFFF, 1.0), (0x777777, 0xFFFFFF, 4.478),
            (0x767676, 0xFFFFFF, 4.542),
            (0xFF0000, 0xFFFFFF, 3.998), (0x0000FF, 0xFFFF00, 8.0),
        ])
    func ratio(color: Int, background: Int, expected: Double) {
        let (one, other) = (ChatColor(UInt32(color)), ChatColor(UInt32(background)))
        #expect(abs(one.contrast(on: other) - expected) < 0.005)
        #expect(one.contrast(on: other) == other.contrast(on: one))
    }

    @Test func transparency() {
        let half = ChatColor(red: 0, green: 0, blue: 0, alpha: 128)
        #expect(half.composited(over: .white) == ChatColor(0x7F7F7F))
        #expect(half.contrast(on: .white) < 4.5 && half.contrast(on: .black) == 1)
        #expect(ChatColor.black.mixed(with: .white, by: .nan) == .black)
        #expect(ChatColor.black.mixed(with: .white, by: 7) == .white)
    }

    @Test func legibleColors() {
        let grey = ChatColor(0x9FA5A9)
        let darker = grey.legible(atContrast: 4.5, on: [.white])
        #expect(darker.contrast(on: .white) >= 4.5 && darker.luminance < grey.luminance)
        #expect(grey.legible(atContrast: 4.5, on: [.black]) == grey, "a legible color stays")
        #expect(grey.legible(atContrast: 21, on: [.white, .black]).alpha == 255, "no color has this contrast")
        #expect(grey.legible(atContrast: 4.5, on: []) == grey)
    }
}
