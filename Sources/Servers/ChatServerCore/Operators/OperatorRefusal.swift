/// Why something that an operator wants is not done.
package struct OperatorRefusal: Error, Hashable, Sendable {
    package enum Code: String, Hashable, Sendable, CaseIterable {
        case unknownClient, unknownMessage, unknownIdentity
        /// The text is longer than a message may be.
        case tooLong
        /// More than there may be: attachments, quick replies, faults, steps.
        case tooMany
        /// A message without text and files, or with the uuid of another one.
        case unusable
        /// It is so already: nobody can leave who is not there.
        case nothingToDo
    }

    package var code: Code
    /// One sentence for a person.
    package var reason: String

    package init(_ code: Code, _ reason: String) {
        self.code = code
        self.reason = reason
    }
}
