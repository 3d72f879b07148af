/// What the bot knows. Replace it with your own.
enum OrderDesk {
    struct Answer: Equatable, Sendable {
        let text: String
        let endsConversation: Bool
    }

    static let greeting = "The order bot is here. Write 'order NUMBER', or 'bye'."

    /// Returns the answer to a text, or `nil` if the bot does not understand it. A bot that always answers never stops
    /// when it meets another one.
    static func answer(to text: String) -> Answer? {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }
        if words.contains("bye") {
            return Answer(text: "Goodbye.", endsConversation: true)
        }
        guard let place = words.firstIndex(of: "order"), words.indices.contains(place + 1),
            let number = Int(words[place + 1])
        else { return nil }
        return Answer(text: "Number \(number) was shipped today.", endsConversation: false)
    }
}
