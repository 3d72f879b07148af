import ChatWire

/// A state machine for the dialog with the company: whether it is active, which operator works on it, and whether the
/// client may write.
struct DialogMachine: Hashable, Sendable {
    private var state = DialogState()
    /// The operator who joined last and has not left.
    private var operatorAtWork: ChatOperator?
    /// Whether the dialog waits for an operator.
    private var isWaiting = false
    /// Whether the system is looking for an operator, or for another one.
    private var isLookingForSpecialist = false
    /// The server's text about the waiting time.
    private var averageWait: String?
    /// The reason why the company blocked the client; the outer `nil` means that it is not blocked.
    private(set) var clientBlocked: String??

    // MARK: Looking

    var phase: DialogState.Phase { state.phase }

    /// The title of the screen, unless a more urgent one applies.
    var title: ChatScreenTitle {
        if isLookingForSpecialist { return .waitingForSpecialist }
        if let operatorAtWork { return .working(operatorAtWork) }
        return isWaiting ? .waiting : .opened
    }

    /// The server's text about the waiting time, until an operator answers.
    var shownWait: String? {
        isWaiting || isLookingForSpecialist || operatorAtWork == nil ? averageWait : nil
    }

    // MARK: Users

    /// Restores the stored state.
    mutating func restore(_ stored: DialogState, _ messages: MessageList) {
        state = stored
        for message in messages { noteOperator(message.content) }
    }

    // MARK: Events

    /// Handles an item. Thread events decide whether a dialog is active. The newest event counts, whatever the order of
    /// arrival. Returns the state to store, if it changed.
    mutating func note(_ content: Content, time: Int64?) -> DialogState? {
        let time = time ?? state.since
        guard time >= state.since else { return nil }
        noteOperator(content)
        guard let phase = content.body.dialogPhase else { return nil }
        let next = DialogState(phase: phase, since: time)
        guard next != state else { return nil }
        state = next
        return next
    }

    /// Records the operator that the history names. It is used only if the messages do not name one.
    mutating func noteAgent(_ info: JSONObject) {
        guard state.phase == .active, operatorAtWork == nil, !isLookingForSpecialist else { return }
        let other = ChatOperator(Operator(info))
        if other.name != nil { operatorAtWork = other }
    }

    private mutating func noteOperator(_ content: Content) {
        switch content.body {
        case .threadEnqueued: isWaiting = true
        case .operatorLookupStarted: isLookingForSpecialist = true
        case .threadWillBeReassigned:
            operatorAtWork = nil
            isLookingForSpecialist = true
        case .operatorJoined:
            stopWaiting()
            operatorAtWork = content.operator.map(ChatOperator.init)
        case .threadInProgress: stopWaiting()
        case .operatorLeft: operatorAtWork = nil
        case .threadClosed:
            stopWaiting()
            operatorAtWork = nil
        case .averageWaitTime: averageWait = content.text
        case .clientBlocked: clientBlocked = .some(content.text)
        case .clientUnblocked: clientBlocked = nil
        default: break
        }
    }

    private mutating func stopWaiting() {
        isWaiting = false
        isLookingForSpecialist = false
        averageWait = nil
    }
}

extension ContentBody {
    /// The phase of the dialog after the event.
    fileprivate var dialogPhase: DialogState.Phase? {
        switch self {
        case .threadOpened, .threadInProgress, .threadEnqueued, .threadWillBeReassigned, .operatorJoined: .active
        case .threadClosed: .ended
        default: nil
        }
    }
}

/// The state of the dialog with the company.
package struct DialogState: Hashable, Sendable {
    package enum Phase: String, Hashable, Sendable {
        /// No thread is known.
        case none
        /// A thread was opened and is not closed yet.
        case active
        /// The last thread was closed.
        case ended
    }

    package var phase: Phase
    /// The time of the event that set the phase, on the server's clock. Older events are ignored.
    package var since: Int64

    package init(phase: Phase = .none, since: Int64 = .min) {
        self.phase = phase
        self.since = since
    }
}
