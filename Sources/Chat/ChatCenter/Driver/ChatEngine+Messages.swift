import ChatCenterCore
import Foundation

extension ChatEngine {
    /// Takes a message into the queue: when it returns, the message is on the disk. Its states are told to `fate` from the
    /// first one on.
    func send(_ message: OutgoingMessage, _ id: MessageID) -> Result<ChatReceipt, SendRefusal> {
        // The copies of files belong to one user, who may have left since they were made.
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

    /// The message with the place that was sent last, if it is this one and on its way or there; one that failed or
    /// was deleted is sent anew.
    func receipt(forLastLocation text: String) -> ChatReceipt? {
        guard let last = state.lastLocation, last.text == text, let now = state.core?.state(of: last.id) else {
            return nil
        }
        if case .failed = now { return nil }
        return ChatReceipt(id: last.id, fate: hub.fates.watch(last.id, from: now))
    }

    /// Forgets a message that failed or still waits.
    func discard(_ id: MessageID) {
        turn(on: .discard(id))
        let isGone = state.core?.state(of: id) == nil
        finishTurns()
        if isGone { hub.executor.run { [hub] in hub.fates.finish([id]) } }
    }

    /// A new screen: its number, its states, and the first of them.
    typealias NewScreen = (id: ScreenID, states: Broadcast<ChatScreenState>, state: ChatScreenState)

    /// Makes a screen the current one; `nil` if nobody is authorised.
    func newScreen() -> NewScreen? {
        guard state.session != nil else { return nil }
        state.lastTicket += 1
        let id = ScreenID(state.lastTicket)
        state.snapshot.currentScreen = id
        let states = hub.begin(id)
        turn(on: .getChat(id))
        finishTurns()
        // The first turn of a core tells the screen's state.
        guard let screen = state.snapshot.screen else { return nil }
        return (id, states, screen)
    }
}
