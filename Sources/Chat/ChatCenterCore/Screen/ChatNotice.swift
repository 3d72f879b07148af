import ChatWire

/// The meaning of a system line about the dialog. A view can show its own words instead of the line's text.
public enum ChatNotice: Hashable, Sendable {
    /// This operator joined.
    case operatorJoined(ChatOperator?)
    /// This operator left.
    case operatorLeft(ChatOperator?)
    /// The system is looking for an operator.
    case lookingForOperator
    /// A dialog was opened.
    case threadOpened
    /// The dialog is being handled.
    case threadInProgress
    /// The dialog was closed.
    case threadClosed
    /// The dialog waits for an operator.
    case threadEnqueued
    /// Another operator will take over.
    case threadWillBeReassigned
    /// The average time until an operator answers; the text contains it.
    case averageWaitTime
    /// The closing words after a survey.
    case partingAfterSurvey
    /// The company blocked the client.
    case clientBlocked
    /// The company unblocked the client.
    case clientUnblocked
    /// The notice about the processing of personal data.
    case personalDataProcessing

    /// Creates a notice from a content. Returns `nil` if the content is not a system line about the dialog.
    init?(_ content: Content) {
        let other = content.operator.map(ChatOperator.init)
        switch content.body {
        case .operatorJoined: self = .operatorJoined(other)
        case .operatorLeft: self = .operatorLeft(other)
        case .operatorLookupStarted: self = .lookingForOperator
        case .threadOpened: self = .threadOpened
        case .threadInProgress: self = .threadInProgress
        case .threadClosed: self = .threadClosed
        case .threadEnqueued: self = .threadEnqueued
        case .threadWillBeReassigned: self = .threadWillBeReassigned
        case .averageWaitTime: self = .averageWaitTime
        case .partingAfterSurvey: self = .partingAfterSurvey
        case .clientBlocked: self = .clientBlocked
        case .clientUnblocked: self = .clientUnblocked
        case .clientPersonalDataProcessing: self = .personalDataProcessing
        default: return nil
        }
    }
}
