import ChatCenterCore
import ChatWire

/// The rules for one client's uploads, overdue replies and queue.
struct QueueRules {
    let client: ClientNode

    init(_ client: ClientNode) {
        self.client = client
    }

    // MARK: Files

    func uploadBegins(_ id: TransferID, at now: Int64) {
        guard let index = messageIndex(of: id) else { return }
        let message = client.watch.messages[index]
        // After a crash a file may be uploaded again.
        if !message.missingFiles.contains(id.text) {
            client.watch.messages[index].missingFiles.append(id.text)
        }
        guard !message.isGivenUp, !client.watch.uploads.contains(where: { $0.file == id.text }) else { return }
        client.watch.uploads.append(
            UploadWatch(file: id.text, message: message.id, user: message.user, since: now))
    }

    func uploadSucceeds(_ id: TransferID, at now: Int64) {
        client.watch.uploads.removeAll { $0.file == id.text }
        guard let index = messageIndex(of: id) else { return }
        client.watch.messages[index].missingFiles.removeAll { $0 == id.text }
        client.watch.messages[index].readyAt = now
    }

    /// Checks that the end of an upload is reported: its success, or the failure that failed its message.
    func judgeUploadEnd(
        _ id: TransferID, _ result: Result<RemoteFile, TransportFailure>, _ record: inout RunRecord
    ) {
        guard client.isAlive, !client.failedNow, let index = messageIndex(of: id),
            client.watch.messages[index].user == client.reading.authorisedClientID,
            !client.watch.messages[index].isGivenUp, !client.watch.endedTransfers.contains(id.text)
        else { return }
        var isOver = false
        if case .success = result { isOver = true }
        if case .failed(.upload) = client.core.state(of: client.watch.messages[index].id) { isOver = true }
        if isOver { record.complain(.oneAnswer, "\(client.name) did not report the end of \(id.text)") }
    }

    /// Returns the index of a file's message, by the names that `say` assigns.
    private func messageIndex(of id: TransferID) -> Int? {
        guard let end = id.text.lastIndex(of: "-") else { return nil }
        return client.watch.index(of: MessageID("c\(id.text[..<end].dropFirst())"))
    }

    /// Checks that all attempts of an upload together take no longer than its timeout.
    func judgeUploads(isBefore: Bool, _ record: inout RunRecord) {
        guard client.isForeground, !client.watch.uploads.isEmpty else { return }
        let timeout = SimulationClock.nanoseconds(client.settings.uploadTimeout)
        for upload in client.watch.uploads where upload.user == client.reading.authorisedClientID {
            var limit = upload.since + timeout
            if isBefore { limit = max(limit, client.judgedSince) }
            if record.now > limit, record.now - limit > SimulationClock.nanoseconds(SendRules.slack) {
                record.complain(
                    .uploadsInTime,
                    "\(client.name): \(upload.file) is being uploaded since \(upload.since / 1_000_000) ms"
                )
            }
        }
    }

    /// Checks that the store does not name a discarded file, because the next process would upload it.
    func judgeDiscarded(_ file: LocalFile, _ shelf: any StoreShelf, _ record: inout RunRecord) {
        for user in SimulationSetup.users {
            let kept = try? shelf.store(device: client.index, user: user).restore(window: 0)
            if kept?.attachments.contains(where: { $0.file.name == file.name }) == true {
                record.complain(
                    .filesFirst, "\(client.name) discards \(file.name), which the store of \(user) still names")
            }
        }
    }

    /// Checks at the end that no copy of a file is left whose message was sent or discarded. A process that ended may
    /// have left copies, which the next process deletes.
    func judgeCopies(_ record: inout RunRecord) {
        guard client.life == 0 else { return }
        for message in client.watch.messages where message.isGivenUp || (message.told?.rank ?? 0) > 0 {
            for file in message.files where !client.watch.discardedFiles.contains(file.name) && !message.isRefused {
                record.complain(.filesFirst, "\(client.name) did not discard \(file.name), whose message is final")
            }
        }
    }

    // MARK: Replies

    /// Notes which messages were sent on a link before a ping that is now answered.
    func ponged(on link: Int, pongs: Int, at now: Int64) {
        for index in client.watch.messages.indices {
            let message = client.watch.messages[index]
            guard message.link == link, message.isOutcomeUnknown, message.overdueSince == nil,
                message.pingsBefore < pongs
            else { continue }
            client.watch.messages[index].overdueSince = now
        }
    }

    /// Notes that a message is stored as being looked up. Checks that its reply is overdue if its socket is live.
    func isLookedUp(_ index: Int, _ record: inout RunRecord) {
        let message = client.watch.messages[index]
        guard !message.isLookedUp else { return }
        client.watch.messages[index].isLookedUp = true
        client.watch.messages[index].lookedUpSince = record.now
        client.watch.messages[index].callsBeforeLookUp = client.watch.calls
        guard client.host == nil, client.settings.sendTimeoutMode == .deadline, message.isOutcomeUnknown,
            message.told == .sending, let link = message.link,
            link == client.reading.liveGeneration.flatMap({ client.watch.links[$0.number] })
        else { return }
        let since = min(message.overdueSince ?? .max, message.laterReplySince ?? .max)
        if since == .max || record.now - since < SimulationClock.nanoseconds(Self.patience - SendRules.slack) {
            record.complain(.overdueAnswer, "\(client.name) looks up \(message.id), whose reply is not overdue")
        }
    }

    /// In milliseconds.
    private static let patience: Int64 = 2500
    /// The longest wait before the history is requested again after a failure, in milliseconds.
    private static let longestWait: Int64 = 60_000
    /// The number of look-ups that every configuration makes before a message's deadline.
    private static let mostTransmissions = 3

    /// Checks that every ready message was sent, unless another message has an unknown outcome. Called after a turn
    /// with a working store.
    func judgeQueue(_ record: inout RunRecord) {
        guard client.isForeground, client.reading.connection == .ready,
            let user = client.reading.authorisedClientID, !client.reading.awaitsOutcome,
            !client.reading.isTellingFarewell
        else { return }
        for index in client.watch.messages.indices where client.watch.messages[index].told?.isUnsent == true {
            let message = client.watch.messages[index]
            if message.user == user, !message.isGivenUp, message.isAcknowledged, !message.mayBeOvertaken,
                message.missingFiles.isEmpty
            {
                record.complain(.queueMoves, "\(client.name): \(message.id) is ready and was not sent")
            }
        }
    }

    /// Checks that the history is requested for messages that are looked up. Called after a turn with a working store:
    /// before the turn in which a token arrives, the core cannot request anything.
    func judgeLookUps(_ record: inout RunRecord) {
        let wait = SimulationClock.nanoseconds(Self.longestWait)
        guard client.isForeground, client.reading.connection == .ready, let user = client.reading.authorisedClientID,
            client.watch.historyCalls.isEmpty, !client.watch.isTokenRefused,
            record.now.subtractingReportingOverflow(wait).partialValue > client.watch.historyFailedAt
        else { return }
        // The indices avoid copies of all messages in every turn.
        for index in client.watch.messages.indices where client.watch.messages[index].isLookedUp {
            let message = client.watch.messages[index]
            if message.user == user, !message.isGivenUp, message.told == .sending, message.isOutcomeUnknown,
                message.callsBeforeLookUp == client.watch.calls
            {
                record.complain(.lookUpFirst, "\(client.name) looks up \(message.id) without a request for the history")
            }
        }
    }

    /// Checks that messages with overdue replies are looked up. Called before a turn with a working store, to check
    /// that the timer fired in time, and after it.
    func judgeOverdue(_ record: inout RunRecord) {
        guard client.isForeground, client.reading.connection == .ready,
            let user = client.reading.authorisedClientID, let live = client.reading.liveGeneration
        else { return }
        let link = client.watch.links[live.number]
        for index in client.watch.messages.indices where client.watch.messages[index].overdueSince != nil {
            let message = client.watch.messages[index]
            guard let since = message.overdueSince, message.user == user, !message.isGivenUp, message.link == link,
                message.isOutcomeUnknown, message.told == .sending, !message.isLookedUp,
                message.transmissions <= Self.mostTransmissions
            else { continue }
            let limit = max(since + SimulationClock.nanoseconds(Self.patience), client.judgedSince)
            if record.now > limit, record.now - limit > SimulationClock.nanoseconds(SendRules.slack) {
                record.complain(
                    .overdueAnswer,
                    "\(client.name): the reply to \(message.id) is overdue since \(since / 1_000_000) ms"
                )
            }
        }
    }
}
