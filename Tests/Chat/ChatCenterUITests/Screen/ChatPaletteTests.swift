import ChatCenter
import Foundation
import Testing

@testable import ChatCenterUI

/// Tests that the views find each of their names in the theme.
@Suite struct ChatPaletteTests {
    @Test(arguments: [ChatTheme(), ChatTheme.dark])
    func eachNameIsAToken(theme: ChatTheme) {
        let tokens = theme.tokens
        for name in ChatPalette.ColorName.allCases { #expect(tokens.colors[name.rawValue] != nil, "\(name.rawValue)") }
        for name in ChatPalette.FontName.allCases { #expect(tokens.fonts[name.rawValue] != nil, "\(name.rawValue)") }
        for name in ChatPalette.ImageName.allCases { #expect(tokens.images[name.rawValue] != nil, "\(name.rawValue)") }
        for name in Self.numbers.keys { #expect(tokens.numbers[name] != nil, "\(name)") }
    }

    /// The numbers that the views draw with, and the property of the palette for each.
    private static let numbers = [
        "bubble-radius": "bubbleRadius", "incoming-avatar": "showsAvatars", "outgoing-avatar": "showsOwnAvatar",
        "title-hidden": "hidesTitle", "search-title-hidden": "hidesSearchTitle",
    ]

    /// Returns the text of all files with this extension in a folder, or of one file.
    private static func text(_ path: String) throws -> String {
        var root = URL(fileURLWithPath: #filePath)
        while !FileManager.default.fileExists(atPath: root.appendingPathComponent("Package.swift").path) {
            guard root.path != "/" else { throw CocoaError(.fileNoSuchFile) }
            root.deleteLastPathComponent()
        }
        let place = root.appendingPathComponent(path)
        guard place.hasDirectoryPath else { return try String(contentsOf: place, encoding: .utf8) }
        return try FileManager.default.contentsOfDirectory(at: place, includingPropertiesForKeys: nil)
            .filter { $0.pathExtension == "swift" }.map { try String(contentsOf: $0, encoding: .utf8) }.joined()
    }

    @Test("the views draw each token, except for those that the page on themes lists")
    func drawnTokens() throws {
        // The colors of the security line are those of its item. Keys of texts have names of their own.
        let folder = "Sources/Chat/ChatCenterUI/"
        let views = try (Self.text(folder + "Views/") + Self.text(folder + "Screen/ChatBannerItem.swift"))
            .replacing(/texts\([^)]*\)/, with: "")
        let words = Set(
            views.split { !($0.isLetter || $0.isNumber || $0 == ".") }.flatMap { word in
                word.split(separator: ".", omittingEmptySubsequences: false).dropFirst().map(String.init)
            })
        func isUsed(_ name: String) -> Bool { words.contains(name) }
        var drawn: Set<String> = []
        for name in ChatPalette.ColorName.allCases where isUsed("\(name)") { drawn.insert(name.rawValue) }
        for name in ChatPalette.FontName.allCases where isUsed("\(name)") { drawn.insert("font-" + name.rawValue) }
        for name in ChatPalette.ImageName.allCases where isUsed("\(name)") { drawn.insert("image-" + name.rawValue) }
        for (name, property) in Self.numbers where isUsed(property) { drawn.insert(name) }
        if isUsed("quickReplies") { drawn.insert("quick-replies") }

        let tokens = ChatTheme().tokens
        let all = Set(tokens.styleValues.keys).union(tokens.images.keys.map { "image-" + $0 })
        let undrawn = try Self.text("Sources/Chat/ChatCenter/Documentation.docc/Theme.md").split(separator: "\n")
            .compactMap { line in
                line.firstMatch(of: /^\| `([a-z0-9-]+)` \| (yes|no) \| no \|/).map { String($0.output.1) }
            }
        #expect(all.subtracting(drawn) == Set(undrawn))
        #expect(drawn.isSubset(of: all))
    }

    @Test func theModeChoosesTheTheme() {
        func palette(isDark: Bool, needsContrast: Bool = false) -> ChatPalette {
            ChatPalette(light: ChatTheme(), dark: .dark, isDark: isDark, needsContrast: needsContrast)
        }
        #expect(palette(isDark: false).color(.text) == ChatTheme().tokens.colors["text"])
        #expect(palette(isDark: true).color(.text) == ChatTheme.dark.tokens.colors["text"])
        #expect(palette(isDark: false, needsContrast: true).color(.text) == ChatColor(0x000000))
        #expect(palette(isDark: false).quickReplies == .embed)
    }

    @Test func absurdFontSizesAreClamped() {
        #expect(ChatFont(size: .nan).shownSize == 15)
        #expect(ChatFont(size: 1e9).shownSize == ChatFont.sizes.upperBound)
        #expect(ChatFont(size: -1).shownSize == ChatFont.sizes.lowerBound)
    }
}
