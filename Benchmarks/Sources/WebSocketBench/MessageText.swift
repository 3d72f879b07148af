import ArgumentParser
import HoldfastTestSupport

/// The content of the messages. It is text, so that UTF-8 validation is measured.
enum MessageText: String, Hashable, Sendable, Codable, CaseIterable, ExpressibleByArgument {
    /// English words in JSON: ASCII, as in most services.
    case ascii
    /// Russian words, with two bytes per letter.
    case cyrillic

    /// Returns a text of exactly `size` bytes.
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
            ("сообщение было отправлено снова после "
                + "того как сеть вернулась и каждое "
                + "устройство показало его один раз")
                .split(separator: " ").map(String.init)
        }
    }
}
