import ArgumentParser
import HoldfastTestSupport

/// What the messages hold: texts, so that there is something to check.
enum MessageText: String, Hashable, Sendable, Codable, CaseIterable, ExpressibleByArgument {
    /// English words in JSON: ASCII, as most of what services send.
    case ascii
    /// Russian words, two bytes for each letter.
    case cyrillic

    /// A text of exactly so many bytes.
    func text(_ size: Int) -> String {
        var generator = SeededGenerator(seed: 7)
        var text = #"{"id":81,"text":""#
        while text.utf8.count < size {
            text += words.randomElement(using: &generator) ?? ""
            text += " "
        }
        while text.utf8.count > size - 2 { text.removeLast() }
        text += String(repeating: " ", count: size - 2 - text.utf8.count)
        return text + #""}"#
    }

    private var words: [String] {
        switch self {
        case .ascii:
            "the message was sent again after network came back and every device of user has shown it once only"
                .split(separator: " ").map(String.init)
        case .cyrillic:
            "сообщение было отправлено снова после того как сеть вернулась и каждое устройство показало его один раз"
                .split(separator: " ").map(String.init)
        }
    }
}
