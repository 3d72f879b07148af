package import ChatWire

/// An operator's action in a conversation.
///
/// A message is identified by its uuid or message id, or by ``lastOfClient`` or ``lastOfOperator``.
package enum OperatorAction: Hashable, Sendable {
    /// Sends a message. Opens a thread if none is open.
    case says(String)
    /// Sends a message with any content. Adds the conversation's operator if the content names none.
    case writes(Content)
    /// Shows that the operator is typing.
    case types
    /// Marks all messages of the client as received, but not as read.
    case receives
    /// Marks all messages of the client as read.
    case reads
    /// Changes the text of a message.
    case edits(message: String, text: String)
    /// Deletes a message.
    case deletes(message: String)
    /// Updates the state of a message's files: ATTACHMENT_UPDATED.
    case updatesAttachments(message: String, [Attachment])
    /// Adds the transcript of a voice message: SPEECH_MESSAGE_UPDATED.
    case transcribes(message: String, status: String?, text: String?)
    /// Joins the conversation and replaces its operator.
    case joins(Operator)
    /// Leaves the conversation, which stays open.
    case leaves
    /// Announces the thread's state.
    case announces(ThreadNotice, text: String?)
    /// Asks the client whether the conversation may be closed. The request disappears after this number of seconds.
    case requestsClose(hideAfter: Int64?)
    /// Sends a survey: SURVEY, or BUTTON_SURVEY.
    case surveys(Survey, asButtons: Bool)
    /// Closes the conversation.
    case closesThread
    /// Blocks the client from writing.
    case blocks(text: String?)
    case unblocks(text: String?)
    /// Informs of the processing of personal data.
    case informsOfProcessing(text: String?)
    /// Sends any content, independent of the client's version: stored as part of the history, or transient.
    case pushes(Content, isKept: Bool)

    /// The newest message of the client.
    package static let lastOfClient = "lastOfClient"
    /// The newest message of an operator.
    package static let lastOfOperator = "lastOfOperator"
}

/// A thread's state, as announced to the client. The raw value is the type on the wire.
package enum ThreadNotice: String, Hashable, Sendable, CaseIterable {
    case lookupStarted = "OPERATOR_LOOKUP_STARTED"
    case inProgress = "THREAD_IN_PROGRESS"
    case enqueued = "THREAD_ENQUEUED"
    case willBeReassigned = "THREAD_WILL_BE_REASSIGNED"
    case averageWaitTime = "AVERAGE_WAIT_TIME"
    case partingAfterSurvey = "PARTING_AFTER_SURVEY"

    var body: ContentBody { Content(.object(["type": .string(rawValue)])).body }
}
