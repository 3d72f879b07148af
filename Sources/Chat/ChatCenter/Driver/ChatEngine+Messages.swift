import ChatCenterCore
import Foundation

extension ChatEngine {
    /// Adds a message to the queue. When the call returns, the message is stored on disk. `fate` reports its states
    /// from the first one on.
    func send(_ message: OutgoingMessage, _ id: MessageID) -> Result<ChatReceipt, SendRefusal> {
        // The copies of files belong to one user, who may have logged out since they were made.
        let files = state.session.map { configuration.folder(of: $0.identity.clientID).files.path + "/" }
        guard message.files.allSatisfy({ $0.file.path.hasPrefix(files ?? "/") }) else {
            return .failure(.notAuthorized)
        }
        let fate = hub.fates.watch(id)
        let ticket = nextTicket()
        turn(on: .send(ticket, id, message))
        let reply = state.replies.removeValue(forKey: ticket) ?? .failure(.notAuthorized)
        finishTurns()
        return reply.map { ChatReceipt(id: $0, fate: fate) }
    }

    /// The reply to a message whose identifier the caller chose.
    struct RepeatableReply: Sendable {
        var receipt: ChatReceipt
        /// Whether a message with the identifier existed before, so that nothing was sent.
        var isRepeated: Bool
    }

    /// Adds a message to the queue. If the user already has an own message with this identifier and this content,
    /// returns its receipt instead.
    func sendOnce(_ message: OutgoingMessage, _ id: MessageID) -> Result<RepeatableReply, SendRefusal> {
        switch known(id, SentContent(message)) {
        case .failure(let refusal): return .failure(refusal)
        case .success(let receipt?): return .success(RepeatableReply(receipt: receipt, isRepeated: true))
        case .success(nil): break
        }
        let reply = send(message, id)
        if case .failure = reply { hub.fates.finish([id]) }
        return reply.map { RepeatableReply(receipt: $0, isRepeated: false) }
    }

    /// Returns the receipt of an own message with this identifier, in memory or in the store; `nil` if there is none.
    /// Refuses the identifier of a message with different content.
    func known(_ id: MessageID, _ content: SentContent) -> Result<ChatReceipt?, SendRefusal> {
        guard let clientID = state.session?.identity.clientID else { return .failure(.notAuthorized) }
        do throws(StoreFailure) {
            let existing: StoredMessage
            if let held = state.core?.message(id) {
                existing = held
            } else {
                let stored = try store(of: clientID).messages(named: [id.text]).first { $0.id == id }
                guard let stored else { return .success(nil) }
                existing = stored
            }
            if let refusal = content.refusal(ifTakenBy: existing) { return .failure(refusal) }
            guard let now = state.core?.state(of: id) ?? existing.visibleState else {
                return .failure(.identifierInUse)
            }
            return .success(ChatReceipt(id: id, fate: hub.fates.watch(id, from: now)))
        } catch {
            return .failure(.store(error))
        }
    }

    /// Returns the message with the place that was sent last, if it is this place and the message is pending or sent. A
    /// failed or deleted one is sent again.
    func receipt(forLastLocation text: String) -> ChatReceipt? {
        guard let last = state.lastLocation, last.text == text, let now = state.core?.state(of: last.id) else {
            return nil
        }
        if case .failed = now { return nil }
        return ChatReceipt(id: last.id, fate: hub.fates.watch(last.id, from: now))
    }

    /// Deletes a message that failed or is still waiting.
    func discard(_ id: MessageID) {
        turn(on: .discard(id))
        let isGone = state.core?.state(of: id) == nil
        finishTurns()
        if isGone { hub.executor.run { [hub] in hub.fates.finish([id]) } }
    }

    /// A new screen: its identifier, its states, and the first state.
    typealias NewScreen = (id: ScreenID, states: Broadcast<ChatScreenState>, state: ChatScreenState)

    /// Creates a screen and makes it the current one; `nil` if no user is authorized.
    func newScreen() -> NewScreen? {
        guard state.session != nil else { return nil }
        state.lastTicket += 1
        let id = ScreenID(state.lastTicket)
        state.snapshot.currentScreen = id
        let states = hub.begin(id)
        turn(on: .getChat(id))
        finishTurns()
        // The first turn of a core publishes the screen's state.
        guard let screen = state.snapshot.screen else { return nil }
        return (id, states, screen)
    }
}
