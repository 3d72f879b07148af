import ChatWire

/// The dialog with the company as a state machine: whether one is active, who works on it, and whether the client may write.
struct DialogMachine: Hashable, Sendable {
    private var state = DialogState()
    /// The operator who joined last and has not left.
    private var operatorAtWork: ChatOperator?
    /// An operator is looked for.
    private var isWaiting = false
    /// An operator is looked for, or another one than before.
    private var isLookingForSpecialist = false
    /// The server's words about the wait.
    private var averageWait: String?
    /// Why the company blocked the client; the outer `nil` says that it did not.
    private(set) var clientBlocked: String??

    // MARK: Looking

    var phase: DialogState.Phase { state.phase }

    /// What the title of the screen says while nothing more urgent is to be said.
    var title: ChatScreenTitle {
        if isLookingForSpecialist { return .waitingForSpecialist }
        if let operatorAtWork { return .working(operatorAtWork) }
        return isWaiting ? .waiting : .opened
    }

    /// The server's words about the wait, as long as nobody answers.
    var shownWait: String? {
        isWaiting || isLookingForSpecialist || operatorAtWork == nil ? averageWait : nil
    }

    // MARK: Users

    /// Takes over what a store gave back.
    mutating func restore(_ stored: DialogState, _ messages: MessageList) {
        state = stored
        for message in messages { noteOperator(message.content) }
    }

    // MARK: What the server says

    /// An item arrived. Threads decide whether a dialog is active; the newest event counts, whatever the order of arrival.
    /// Returns the state to be stored if it has changed.
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

    /// The history says who works on the dialog. That counts where the messages at hand do not say so.
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
            nobodyIsWaitedFor()
            operatorAtWork = content.operator.map(ChatOperator.init)
        case .threadInProgress: nobodyIsWaitedFor()
        case .operatorLeft: operatorAtWork = nil
        case .threadClosed:
            nobodyIsWaitedFor()
            operatorAtWork = nil
        case .averageWaitTime: averageWait = content.text
        case .clientBlocked: clientBlocked = .some(content.text)
        case .clientUnblocked: clientBlocked = nil
        default: break
        }
    }

    private mutating func nobodyIsWaitedFor() {
        isWaiting = false
        isLookingForSpecialist = false
        averageWait = nil
    }
}

extension ContentBody {
    /// What the event makes of the dialog.
    fileprivate var dialogPhase: DialogState.Phase? {
        switch self {
        case .threadOpened, .threadInProgress, .threadEnqueued, .threadWillBeReassigned, .operatorJoined: .active
        case .threadClosed: .ended
        default: nil
        }
    }
}
