/// Which kinds of lines the SDK logs.
public struct ChatLogLevel: OptionSet, Hashable, Sendable {
    public let rawValue: Int

    public init(rawValue: Int) {
        self.rawValue = rawValue
    }

    /// Nothing.
    public static let off: ChatLogLevel = []
    /// The life of the chat: users, messages, states.
    public static let info = ChatLogLevel(rawValue: 1 << 0)
    /// REST calls.
    public static let rest = ChatLogLevel(rawValue: 1 << 1)
    /// The socket and its frames.
    public static let webSocket = ChatLogLevel(rawValue: 1 << 2)
    /// What the user does on the chat screen.
    public static let userInterface = ChatLogLevel(rawValue: 1 << 3)
    /// Failures, refused servers among them.
    public static let error = ChatLogLevel(rawValue: 1 << 4)
    /// ``rest`` and ``webSocket``, and with them the lines about TLS.
    public static let network: ChatLogLevel = [.rest, .webSocket]
    /// Everything.
    public static let all: ChatLogLevel = [.info, .rest, .webSocket, .userInterface, .error]
}
