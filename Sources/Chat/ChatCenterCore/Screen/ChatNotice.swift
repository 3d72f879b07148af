import ChatWire

/// What a line about the dialog says, beside its text: a view has words of its own for it.
public enum ChatNotice: Hashable, Sendable {
    /// This operator joined.
    case operatorJoined(ChatOperator?)
    /// This operator left.
    case operatorLeft(ChatOperator?)
    /// An operator is looked for.
    case lookingForOperator
    /// A dialog was opened.
    case threadOpened
    /// Somebody works on the dialog.
    case threadInProgress
    /// The dialog is over.
    case threadClosed
    /// The dialog waits for an operator.
    case threadEnqueued
    /// Another operator will take over.
    case threadWillBeReassigned
    /// How long it takes on average until an operator answers; the text says it.
    case averageWaitTime
    /// The words after a survey.
    case partingAfterSurvey
    /// The company blocked the client.
    case clientBlocked
    /// The company lets the client write again.
    case clientUnblocked
    /// The notice about the processing of personal data.
    case personalDataProcessing

    /// `nil` for what is no line about the dialog.
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
