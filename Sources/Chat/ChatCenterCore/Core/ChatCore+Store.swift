import ChatWire

// Handles a store failure in the middle of a turn. The driver executed everything before the failed commit and nothing
// after it. The core knows its last turn, so it requests the skipped effects again.
extension ChatCore {
    mutating func commitFailed(
        _ transaction: StoreTransaction, _ failure: StoreFailure, _ update: inout CoreUpdate
    ) {
        guard let lost = commits.failed(transaction, failure, &update) else {
            update.log(.error, "ignored a failed commit that does not belong to the last turn")
            return
        }
        screenComposer.publishAgain()
        update.log(.error, "the store failed: \(failure.kind.rawValue)")
        for effect in lost { recover(effect, failure, &update) }
        // The rest of that turn may refer to a message that was not accepted. All of it is removed.
        for case .commit(let transaction) in lost where transaction.ticket != nil {
            for case .saveMessage(let message) in transaction.changes { update.forget(message.id) }
        }
    }

    private mutating func recover(_ effect: ChatEffect, _ failure: StoreFailure, _ update: inout CoreUpdate) {
        switch effect {
        case .commit(let transaction):
            if transaction.ticket == nil { update.commit(transaction) } else { conversation.forgetUnkept(transaction) }
        case .network(.transmit(_, _, let frame)) where takeBack(frame): break
        case .notify(.loggedOut(let ticket, let outcome)): commits.tellOutcome(.loggedOut(ticket, outcome), &update)
        case .publish: break
        case .acknowledge, .network, .notify, .log, .askForToken, .loadPage, .searchStore, .discardFile, .holdProcess,
            .releaseProcess:
            perform(conversation.recover(effect, failure), &update)
        }
    }

    /// Takes back a message whose sending could not be stored. Returns whether the frame belongs to a message.
    private mutating func takeBack(_ frame: ClientFrame) -> Bool {
        guard let id = frames.takeBack(frame.correlationID) else { return false }
        conversation.takeBack(id)
        return true
    }
}
