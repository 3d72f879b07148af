import ChatCenter
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
        for name in ["bubble-radius", "incoming-avatar", "title-hidden", "search-title-hidden"] {
            #expect(tokens.numbers[name] != nil, "\(name)")
        }
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
