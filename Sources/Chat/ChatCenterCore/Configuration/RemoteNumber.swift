/// A number that the server may set, with its valid range.
struct RemoteNumber: Hashable, Sendable {
    /// The server's name for the setting.
    let name: String
    /// The smallest usable value. An interval of 0 or less is invalid; a count of 0 means none.
    let least: Int64
    /// The valid range. Usable values outside it are clamped.
    let range: ClosedRange<Int>

    /// A value more than this many times the upper bound is rejected as a mistake or an attack.
    static let nonsense: Int64 = 1000

    func isUsable(_ value: Int64) -> Bool {
        value >= least && value <= Int64(range.upperBound).saturatingMultiply(Self.nonsense)
    }

    func clamped(_ value: Int64) -> Int {
        Int(min(max(value, Int64(range.lowerBound)), Int64(range.upperBound)))
    }

    // The values use the server's units, except `typingInterval`, which is converted to milliseconds later.
    static let surveyCompletionDelay = RemoteNumber(name: "surveyCompletionDelay", least: 0, range: 0...600_000)
    static let historyLoadingCount = RemoteNumber(name: "historyLoadingCount", least: 1, range: 1...200)
    static let typingInterval = RemoteNumber(name: "typingMessagesIntervalSeconds", least: 1, range: 1...60)
    static let pingInterval = RemoteNumber(name: "pingIntervalMillis", least: 1, range: 5000...300_000)
    static let pingRetries = RemoteNumber(name: "pingRetries", least: 1, range: 1...5)
    static let retryInterval = RemoteNumber(name: "retryIntervalMillis", least: 1, range: 250...10_000)
    static let retryMultiplier = RemoteNumber(name: "retryMultiplier", least: 1, range: 1...10)
    static let messageRetryCount = RemoteNumber(name: "messageRetryCount", least: 0, range: 0...100)
    static let clientInfoInterval = RemoteNumber(name: "sendClientInfoAfterMillis", least: 0, range: 0...600_000)
    static let largestFile = RemoteNumber(name: "maxSize", least: 1, range: 1...1_048_576)
}
