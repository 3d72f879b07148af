package import ChatWire

/// What an operator, or whoever plays one, does in a conversation.
///
/// Messages are named by their uuid or message id, or by ``lastOfClient`` and ``lastOfOperator``.
package enum OperatorAction: Hashable, Sendable {
    /// Writes a message; a thread is opened if none is open.
    case says(String)
    /// Writes a message with all that a message may have; the operator of the conversation is added where it names none.
    case writes(Content)
    /// Shows that he is typing.
    case types
    /// Has got all that the client wrote, and not read it.
    case receives
    /// Has read all that the client wrote.
    case reads
    /// Changes the text of a message.
    case edits(message: String, text: String)
    /// Takes a message back.
    case deletes(message: String)
    /// The files of a message have another state: ATTACHMENT_UPDATED.
    case updatesAttachments(message: String, [Attachment])
    /// What was said in a voice message is known: SPEECH_MESSAGE_UPDATED.
    case transcribes(message: String, status: String?, text: String?)
    /// Comes into the conversation, in the place of whoever was in it.
    case joins(Operator)
    /// Leaves the conversation, which goes on.
    case leaves
    /// Says where the thread stands.
    case announces(ThreadNotice, text: String?)
    /// Asks the client whether the conversation is over; the question vanishes after so many seconds.
    case requestsClose(hideAfter: Int64?)
    /// Asks questions: SURVEY, or BUTTON_SURVEY.
    case surveys(Survey, asButtons: Bool)
    /// Ends the conversation.
    case closesThread
    /// The client may not write any more.
    case blocks(text: String?)
    case unblocks(text: String?)
    /// Tells of the processing of personal data.
    case informsOfProcessing(text: String?)
    /// Sends any content, whatever it is and whatever version the client speaks: kept and part of the history, or for this
    /// moment only.
    case pushes(Content, isKept: Bool)

    /// The newest message of the client.
    package static let lastOfClient = "lastOfClient"
    /// The newest message of an operator.
    package static let lastOfOperator = "lastOfOperator"
}
