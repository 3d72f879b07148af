import ChatWire

// What happens when the store fails in the middle of a turn: the driver carried out everything before the failed commit
// and nothing after it. The core knows its last turn, so it knows what was lost and asks for it again.
extension ChatCore {
    mutating func commitFailed(
        _ transaction: StoreTransaction, _ failure: StoreFailure, _ update: inout CoreUpdate
    ) {
        guard let lost = commits.failed(transaction, failure, &update) else {
            update.log(.error, "a commit failed that is not one of the last turn")
            return
        }
        screenComposer.publishAgain()
        update.log(.error, "the store failed: \(failure.kind.rawValue)")
        for effect in lost { recover(effect, failure, &update) }
        // The rest of that turn may have gone on with a message that is not taken after all: nothing of it stays.
        for case .commit(let transaction) in lost where transaction.ticket != nil {
            for case .saveMessage(let message) in transaction.changes { update.forget(message.id) }
        }
    }

    private mutating func recover(_ effect: ChatEffect, _ failure: StoreFailure, _ update: inout CoreUpdate) {
        switch effect {
        case .commit(let transaction):
            if transaction.ticket == nil { update.commit(transaction) } else { forgetUnkept(transaction, &update) }
        case .acknowledge(let ticket, .success(let id)):
            // Kept if its own commit came before the one that failed; then it is still here.
            let answer: Result<MessageID, SendRefusal> = window[id] == nil ? .failure(.store(failure)) : .success(id)
            update.emit(.acknowledge(ticket, answer))
        case .network(.transmit(_, _, let frame)) where takeBack(frame): break
        case .network(.upload(let id, _)) where !transfers.hasUpload(id): break
        case .notify(.message(let id, _)) where window[id] == nil: break
        case .notify(.loggedOut(let ticket, let outcome)): commits.tellOutcome(.loggedOut(ticket, outcome), &update)
        case .publish: break
        case .acknowledge, .network, .notify, .log, .askForToken, .loadPage, .searchStore, .discardFile, .holdProcess,
            .releaseProcess:
            update.emit(effect)
        }
    }

    /// A message that could not be kept was never taken.
    private mutating func forgetUnkept(_ transaction: StoreTransaction, _ update: inout CoreUpdate) {
        for change in transaction.changes {
            switch change {
            case .saveMessage(let message):
                window.remove(message.id)
                outbox.remove(message.id)
            case .saveAttachment(let job): transfers.takeBack(job.id)
            default: break
            }
        }
    }

    /// A message whose going out could not be recorded does not go out. True for such a frame.
    private mutating func takeBack(_ frame: ClientFrame) -> Bool {
        guard let id = frames.takeBack(frame.correlationID) else { return false }
        outbox.takeBack(id, &window)
        return true
    }
}
