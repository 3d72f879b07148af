/// An answer of the operators' interface.
package enum OperatorAnswer: Hashable, Sendable {
    case overview(ServerOverview)
    case clients([ClientSummary], total: Int)
    case client(ClientSummary)
    /// Messages, oldest first.
    case messages([ServerMessage])
    /// The action was executed. Contains the resulting message's id, if there is exactly one.
    case done(messageID: String?)
    case refused(OperatorRefusal)

    package var refusal: OperatorRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}
