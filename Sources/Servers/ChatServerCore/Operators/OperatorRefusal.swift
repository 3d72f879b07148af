/// The reason why an operator's action was refused.
package struct OperatorRefusal: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case unknownClient, unknownMessage, unknownIdentity
        /// The text exceeds the limit.
        case tooLong
        /// The number of attachments, quick replies, faults or steps exceeds the limit.
        case tooMany
        /// The message has neither text nor files, or uses another message's uuid.
        case unusable
        /// The action would change nothing; for example, no operator is there to leave.
        case nothingToDo
    }

    package var code: Code
    /// A description in one sentence.
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
