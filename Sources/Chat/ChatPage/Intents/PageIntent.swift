public import ChatCenterCore

/// An action of the visitor, which a page sends to the server.
public enum PageIntent: Hashable, Sendable {
    /// Sends a text. The page creates the message's id, so that a repeated intent sends nothing twice.
    case send(id: MessageID, text: String)
    /// Presses the button with this index under a message.
    case press(id: MessageID, message: MessageID, index: Int)
    /// Sends a failed message again.
    case retry(message: MessageID)
    /// Deletes an own message that was not sent.
    case delete(message: MessageID)
    /// Reports the text of the input field.
    case typed(text: String)
    /// Makes the next message a reply to this one; `nil` removes the quote.
    case quote(message: MessageID?)
    /// Loads older messages.
    case loadOlder
    /// Rates a question of a survey.
    case rate(survey: MessageID, question: Int64, rate: Int64)
    /// Sets the comment on a survey.
    case comment(survey: MessageID, text: String)
    /// Completes a survey.
    case submit(survey: MessageID)
    /// Agrees to end the dialog.
    case closeThread(request: MessageID)
    /// Asks to continue the dialog.
    case reopenThread(request: MessageID)
    /// Searches for a text; an empty text ends the search.
    case search(text: String)
    /// Loads the next page of search results.
    case searchMore
    /// Opens the surroundings of a message.
    case showContext(message: MessageID)
    /// Loads messages before the surroundings.
    case loadOlderContext
    /// Loads messages after the surroundings.
    case loadNewerContext
    /// Closes the surroundings.
    case closeContext
    /// Loads the configuration and the history again.
    case reload
    /// The page is visible.
    case appeared
    /// The page is not visible.
    case disappeared
    /// Cancels the upload of a message's files and deletes the message.
    case cancelUpload(message: MessageID)
    /// Reports that the visitor followed a link.
    case opened(url: String)
}
