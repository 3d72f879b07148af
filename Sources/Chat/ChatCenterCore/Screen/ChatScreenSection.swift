/// The rows of one day.
public struct ChatScreenSection: Hashable, Sendable, Identifiable {
    /// The number of days since 1970-01-01, in the time zone that was requested.
    public var id: Int64
    /// The rows, oldest first.
    public var messages: [ChatScreenMessage]

    /// Groups rows by day. The rows must be in order.
    static func sections(of messages: [ChatScreenMessage], secondsFromGMT: Int) -> [ChatScreenSection] {
        let offset = Int64(min(max(secondsFromGMT, -86_400), 86_400)) * 1000
        var sections: [ChatScreenSection] = []
        for message in messages {
            let moment = message.timeMilliseconds.saturatingAdd(offset)
            let day = moment >= 0 ? moment / 86_400_000 : (moment + 1) / 86_400_000 - 1
            if sections.last?.id == day {
                sections[sections.count - 1].messages.append(message)
            } else {
                sections.append(ChatScreenSection(id: day, messages: [message]))
            }
        }
        return sections
    }
}
