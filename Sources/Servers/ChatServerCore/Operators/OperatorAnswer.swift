/// What the operators' interface answers.
package enum OperatorAnswer: Hashable, Sendable {
    case overview(ServerOverview)
    case clients([ClientSummary], total: Int)
    case client(ClientSummary)
    /// Oldest first.
    case messages([ServerMessage])
    /// It is done; the message that came of it, where it was one message of one client.
    case done(messageID: String?)
    case refused(OperatorRefusal)

    package var refusal: OperatorRefusal? {
        if case .refused(let refusal) = self { refusal } else { nil }
    }
}
