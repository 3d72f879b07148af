import ChatCenterCore
import ChatWire

/// The rules of one client's uploads and overdue replies, and of what the queue does about them.
struct QueueRules {
    let client: ClientNode

    init(_ client: ClientNode) {
        self.client = client
    }

    // MARK: Files

    func uploadBegins(_ id: TransferID, at now: Int64) {
        guard let index = messageIndex(of: id) else { return }
        let message = client.watch.messages[index]
        // After a crash a file may have to be uploaded again.
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

    /// The end of an upload is told: its success, or the failure with which its message failed.
    func judgeUploadEnd(
        _ id: TransferID, _ result: Result<RemoteFile, TransportFailure>, _ record: inout RunRecord
    ) {
        guard client.isAlive, !client.failedNow, let index = messageIndex(of: id),
            client.watch.messages[index].user == client.core.authorisedClientID,
            !client.watch.messages[index].isGivenUp, !client.watch.endedTransfers.contains(id.text)
        else { return }
        var isOver = false
        if case .success = result { isOver = true }
        if case .failed(.upload) = client.core.state(of: client.watch.messages[index].id) { isOver = true }
        if isOver { record.complain(.oneAnswer, "\(client.name) did not tell that \(id.text) has ended") }
    }

    /// Returns the message of a file, by the names that `say` gives.
    private func messageIndex(of id: TransferID) -> Int? {
        guard let end = id.text.lastIndex(of: "-") else { return nil }
        return client.watch.index(of: MessageID("c\(id.text[..<end].dropFirst())"))
    }

    /// Checks that no upload takes longer than its time-out, all attempts together.
    func judgeUploads(isBefore: Bool, _ record: inout RunRecord) {
        guard client.isForeground, !client.watch.uploads.isEmpty else { return }
        let timeout = SimulationClock.nanoseconds(client.settings.uploadTimeout)
        for upload in client.watch.uploads where upload.user == client.core.authorisedClientID {
            var limit = upload.since + timeout
            if isBefore { limit = max(limit, client.judgedSince) }
            if record.now > limit, record.now - limit > SimulationClock.nanoseconds(SendRules.slack) {
                record.complain(
                    .uploadsInTime,
                    "\(client.name): \(upload.file) is uploaded since \(upload.since / 1_000_000) and has not failed yet"
                )
            }
        }
    }

    /// Checks that the store does not name a discarded file: the next process would upload it.
    func judgeDiscarded(_ file: LocalFile, _ shelf: any StoreShelf, _ record: inout RunRecord) {
        for user in SimulationSetup.users {
            let kept = try? shelf.store(device: client.index, user: user).restore(window: 0)
            if kept?.attachments.contains(where: { $0.file.name == file.name }) == true {
                record.complain(
                    .filesFirst, "\(client.name) gives up \(file.name), which the store of \(user) still names")
            }
        }
    }

    /// In the end no copy of a file is left of what was sent, or given up. A process that died may have left some, which
    /// the next one sweeps up.
    func judgeCopies(_ record: inout RunRecord) {
        guard client.life == 0 else { return }
        for message in client.watch.messages where message.isGivenUp || (message.told?.rank ?? 0) > 0 {
            for file in message.files where !client.watch.discardedFiles.contains(file.name) && !message.isRefused {
                record.complain(.filesFirst, "\(client.name) has kept \(file.name), which nobody needs")
            }
        }
    }

    // MARK: Replies

    /// Notes which messages were sent on a link before a ping that is answered now.
    func ponged(on link: Int, pongs: Int, at now: Int64) {
        for index in client.watch.messages.indices {
            let message = client.watch.messages[index]
            guard message.link == link, message.isOutcomeUnknown, message.overdueSince == nil,
                message.pingsBefore < pongs
            else { continue }
            client.watch.messages[index].overdueSince = now
        }
    }

    /// The store has a message as one that is being looked up. While its socket lives, its reply is overdue.
    func isLookedUp(_ index: Int, _ record: inout RunRecord) {
        let message = client.watch.messages[index]
        guard !message.isLookedUp else { return }
        client.watch.messages[index].isLookedUp = true
        client.watch.messages[index].lookedUpSince = record.now
        client.watch.messages[index].callsBeforeLookUp = client.watch.calls
        guard client.host == nil, client.settings.sendTimeoutMode == .deadline, message.isOutcomeUnknown,
            message.told == .sending, let link = message.link,
            link == client.core.liveGeneration.flatMap({ client.watch.links[$0.number] })
        else { return }
        let since = min(message.overdueSince ?? .max, message.laterReplySince ?? .max)
        if since == .max || record.now - since < SimulationClock.nanoseconds(Self.patience - SendRules.slack) {
            record.complain(.overdueAnswer, "\(client.name) looks \(message.id) up, whose answer is not overdue")
        }
    }

    /// Milliseconds.
    private static let patience: Int64 = 2500
    /// Milliseconds in which the history may not be asked again after it failed.
    private static let longestWait: Int64 = 60_000
    /// Every configuration looks a message up at least so often before its deadline.
    private static let mostTransmissions = 3

    /// Checks after a turn with a working store that every ready message was sent, unless the outcome of another one is
    /// unknown.
    func judgeQueue(_ record: inout RunRecord) {
        guard client.isForeground, client.core.connection == .ready,
            let user = client.core.authorisedClientID, !client.core.awaitsOutcome,
            !client.core.isTellingFarewell
        else { return }
        for message in client.watch.messages where message.user == user && !message.isGivenUp {
            if message.isAcknowledged, !message.mayBeOvertaken, message.missingFiles.isEmpty,
                message.told == .queued || message.told == .uploading
            {
                record.complain(.queueMoves, "\(client.name): \(message.id) is ready and does not go out")
            }
        }
    }

    /// Checks after a turn with a working store that the history is asked about messages that are looked up.
    private func judgeLookUps(_ user: String, _ record: inout RunRecord) {
        let wait = SimulationClock.nanoseconds(Self.longestWait)
        guard client.watch.historyCalls.isEmpty, !client.watch.isTokenRefused,
            record.now.subtractingReportingOverflow(wait).partialValue > client.watch.historyFailedAt
        else { return }
        for message in client.watch.messages where message.user == user && !message.isGivenUp {
            if message.isLookedUp, message.told == .sending, message.isOutcomeUnknown,
                message.callsBeforeLookUp == client.watch.calls
            {
                record.complain(.lookUpFirst, "\(client.name) looks \(message.id) up, and does not ask the history")
            }
        }
    }

    /// Checks that messages with overdue replies are looked up. Before a turn with a working store: the timer came in time.
    /// After it: the core did what was due.
    func judgeOverdue(_ record: inout RunRecord) {
        guard client.isForeground, client.core.connection == .ready,
            let user = client.core.authorisedClientID, let live = client.core.liveGeneration
        else { return }
        let link = client.watch.links[live.number]
        judgeLookUps(user, &record)
        for message in client.watch.messages where message.user == user && !message.isGivenUp {
            guard let since = message.overdueSince, message.link == link, message.isOutcomeUnknown,
                message.told == .sending, !message.isLookedUp, message.transmissions <= Self.mostTransmissions
            else { continue }
            let limit = max(since + SimulationClock.nanoseconds(Self.patience), client.judgedSince)
            if record.now > limit, record.now - limit > SimulationClock.nanoseconds(SendRules.slack) {
                record.complain(
                    .overdueAnswer,
                    "\(client.name): the answer to \(message.id) is overdue since \(since / 1_000_000), and it is not looked up"
                )
            }
        }
    }
}
