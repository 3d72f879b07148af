/// One line of the SDK's log.
package struct ChatLogLine: Hashable, Sendable {
    /// The kinds that the line belongs to; it is written if the configuration names one of them.
    package var level: ChatLogLevel
    /// The text, free of secrets unless the configuration allows them.
    package var text: String
    /// No level may hide the line: verification is switched off. It goes to swift-log at `error`, too.
    package var isLoud: Bool

    package init(_ level: ChatLogLevel, _ text: String, isLoud: Bool = false) {
        self.level = level
        self.text = text
        self.isLoud = isLoud
    }
}
