public import ChatCenterCore
import HoldfastTrust

extension ChatScreen {
    // MARK: The surroundings of a message

    /// Opens the surroundings of a message, which is usually a search result. ``ChatScreenState/context`` shows them.
    ///
    /// They come from this device or, if it lacks the message, from the server. A message that is among
    /// ``ChatScreenState/messages`` opens nothing: ``ChatScreenState/scroll`` asks the view to scroll to it.
    public func showContext(of message: MessageID) { handle(.showContext(message), "shows a message in its context") }

    /// Loads messages before the surroundings. ``ChatScreenContext/older`` shows the progress and the result.
    public func loadOlderContext() { handle(.loadOlderContext, "requests messages before the context") }

    /// Loads messages after the surroundings. ``ChatScreenContext/newer`` shows the progress and the result.
    public func loadNewerContext() { handle(.loadNewerContext, "requests messages after the context") }

    /// Closes the surroundings. If they reach the conversation, ``ChatScreenState/scroll`` asks the view to scroll to
    /// the message where they meet.
    public func closeContext() { handle(.closeContext, "closes the context") }

    // MARK: The connection

    /// The verification that protects the connections of the chat now. A policy of pins can change or expire, so the
    /// value can change too.
    public var security: ChatScreenSecurity {
        driver.configuration.screenSecurity(at: driver.environment.trustClock.now())
    }
}
