extension PageHTML {
    /// Returns the style sheet with the tokens and the pictures of the light and the dark theme.
    ///
    /// A value with a character that could end its declaration is left out.
    public static func themeStyles(_ appearance: PageAppearance) -> [UInt8] {
        var text = ":root{"
        text += declarations(appearance.light) + "}\n@media (prefers-color-scheme:dark){:root{"
        text += declarations(appearance.dark) + "}}\n"
        for (scheme, paths) in [("light", appearance.lightPictures), ("dark", appearance.darkPictures)] {
            let rules = pictureRules(paths)
            if !rules.isEmpty { text += "@media (prefers-color-scheme:\(scheme)){\(rules)}\n" }
        }
        return Array(text.utf8)
    }

    private static func declarations(_ values: [String: String]) -> String {
        PageAppearance.sorted(values).map { token, value in
            guard isName(token), isSafe(value) else { return "" }
            return "--chat-\(token):\(length(value, token));"
        }.joined()
    }

    private static func isName(_ token: String) -> Bool {
        !token.isEmpty && token.utf8.count <= 64
            && token.utf8.allSatisfy { byte in
                (0x61...0x7A).contains(byte) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
            }
    }

    /// Gives a plain number its unit. The size of the text follows the size that the visitor has set in the browser.
    private static func length(_ value: String, _ token: String) -> String {
        guard value.utf8.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: ".") }) else { return value }
        return switch token {
        case "bubble-radius": value + "px"
        case "font-size": "calc(\(value)rem / 16)"
        default: value
        }
    }

    private static func isSafe(_ value: String) -> Bool {
        let isPlain = value.utf8.allSatisfy { byte in
            switch byte {
            case 0x30...0x39, 0x41...0x5A, 0x61...0x7A: true
            case UInt8(ascii: "#"), UInt8(ascii: "."), UInt8(ascii: ","), UInt8(ascii: "%"), UInt8(ascii: "-"),
                UInt8(ascii: " "), UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "/"), UInt8(ascii: "\""):
                true
            default: false
            }
        }
        // A text of CSS that is not closed would contain the declarations after it.
        let hasWholeTexts = value.utf8.count { $0 == UInt8(ascii: "\"") } % 2 == 0
        return isPlain && hasWholeTexts && value.utf8.count <= 200 && !value.isEmpty
            && !value.lowercased().contains("url(")
    }
}
