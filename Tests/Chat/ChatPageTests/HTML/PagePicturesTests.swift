import Testing

@testable import ChatPage

/// Tests the rules of the style sheet for a theme's pictures.
@Suite struct PagePicturesTests {
    private func styles(_ light: [String: String], dark: [String: String] = [:]) -> String {
        var appearance = Samples.appearance
        (appearance.light, appearance.dark) = (["accent": "#000"], ["accent": "#fff"])
        (appearance.lightPictures, appearance.darkPictures) = (light, dark)
        return String(decoding: PageHTML.themeStyles(appearance), as: UTF8.self)
    }

    @Test("Every picture of a theme has an element")
    func all() {
        #expect(
            PageHTML.pictureNames.sorted() == [
                "attach", "avatar", "close", "empty-chat", "file", "pause", "play", "record", "retry",
                "scroll-to-newest", "search", "send", "stop",
            ])
        for name in PageHTML.pictureNames {
            let text = styles([name: "theme/0a"])
            #expect(text.contains("@media (prefers-color-scheme:light){"), "\(name)")
            #expect(text.contains("background:url(\"theme/0a\")"), "\(name)")
        }
    }

    @Test("The themes have their own pictures")
    func schemes() {
        let text = styles(["send": "theme/0a"], dark: ["send": "theme/0b", "avatar": "theme/0c"])
        let parts = text.split(separator: "@media (prefers-color-scheme:")
        #expect(parts.count == 4)
        #expect(parts[2].hasPrefix("light){#send{font-size:0;}"))
        #expect(!parts[2].contains("theme/0b") && !parts[2].contains("theme/0c"))
        #expect(parts[3].hasPrefix("dark){"))
        #expect(parts[3].contains("theme/0b") && parts[3].contains("theme/0c"))
        #expect(!styles([:]).contains("url("))
    }

    @Test("A path that could end its text or lead elsewhere is left out")
    func paths() {
        let bad = ["", "/theme/0a", "//evil.example", "https://evil.example", "a\")}b{", "a b", "theme/0A"]
        for path in bad { #expect(!styles(["send": path]).contains("url("), "\(path)") }
        #expect(!styles(["body": "theme/0a"]).contains("url("), "an unknown name has no element")
    }
}
