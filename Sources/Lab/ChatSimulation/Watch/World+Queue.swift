import ChatCenterCore
import ChatWire

// Uploads, overdue replies, and what the queue does about them.
extension World {
    // MARK: Files

    func uploadBegins(_ id: TransferID, _ client: Int) {
        guard let index = messageIndex(of: id, client) else { return }
        let message = clients[client].watch.messages[index]
        // After a crash a file may have to be uploaded again.
        if !message.missingFiles.contains(id.text) {
            clients[client].watch.messages[index].missingFiles.append(id.text)
        }
        guard !message.isGivenUp, !clients[client].watch.uploads.contains(where: { $0.file == id.text }) else { return }
        clients[client].watch.uploads.append(
            UploadWatch(file: id.text, message: message.id, user: message.user, since: now))
    }

    func uploadSucceeds(_ id: TransferID, _ client: Int) {
        clients[client].watch.uploads.removeAll { $0.file == id.text }
        guard let index = messageIndex(of: id, client) else { return }
        clients[client].watch.messages[index].missingFiles.removeAll { $0 == id.text }
        clients[client].watch.messages[index].readyAt = now
    }

    /// Returns the message of a file, by the names that `say` gives.
    private func messageIndex(of id: TransferID, _ client: Int) -> Int? {
        guard let end = id.text.lastIndex(of: "-") else { return nil }
        return clients[client].watch.index(of: MessageID("c\(id.text[..<end].dropFirst())"))
    }

    /// Checks that no upload takes longer than its time-out, all attempts together.
    func judgeUploads(_ client: Int, isBefore: Bool) {
        guard clients[client].isForeground, !clients[client].watch.uploads.isEmpty else { return }
        let timeout = SimulationClock.nanoseconds(clients[client].settings.uploadTimeout)
        for upload in clients[client].watch.uploads where upload.user == clients[client].core.authorisedClientID {
            var limit = upload.since + timeout
            if isBefore { limit = max(limit, clients[client].judgedSince) }
            if now > limit, now - limit > SimulationClock.nanoseconds(Self.slack) {
                complain(
                    .uploadsInTime,
                    "\(name(client)): \(upload.file) is uploaded since \(upload.since / 1_000_000) and has not failed yet"
                )
            }
        }
    }

    /// Checks that the store does not name a discarded file: the next process would upload it.
    func judgeDiscarded(_ file: LocalFile, _ client: Int) {
        for user in SimulationSetup.users {
            let kept = try? shelf.store(device: client, user: user).restore(window: 0)
            if kept?.attachments.contains(where: { $0.file.name == file.name }) == true {
                complain(.filesFirst, "\(name(client)) gives up \(file.name), which the store of \(user) still names")
            }
        }
    }

    // MARK: Replies

    /// Notes which messages were sent before a ping that is answered now.
    func ponged(_ generation: Generation, _ client: Int) {
        guard generation == clients[client].core.liveGeneration,
            let link = clients[client].watch.links[generation.number]
        else { return }
        links[link].pongs += 1
        for index in clients[client].watch.messages.indices {
            let message = clients[client].watch.messages[index]
            guard message.link == link, message.isOutcomeUnknown, message.overdueSince == nil,
                message.pingsBefore < links[link].pongs
            else { continue }
            clients[client].watch.messages[index].overdueSince = now
        }
    }

    /// Milliseconds.
    private static let patience: Int64 = 2500
    /// Every configuration looks a message up at least so often before its deadline.
    private static let mostTransmissions = 3

    /// Checks after a turn with a working store that every ready message was sent, unless the outcome of another one is
    /// unknown.
    func judgeQueue(_ client: Int) {
        guard clients[client].isForeground, clients[client].core.connection == .ready,
            let user = clients[client].core.authorisedClientID, !clients[client].core.awaitsOutcome,
            !clients[client].core.isTellingFarewell
        else { return }
        for message in clients[client].watch.messages where message.user == user && !message.isGivenUp {
            if message.isAcknowledged, !message.mayBeOvertaken, message.missingFiles.isEmpty,
                message.told == .queued || message.told == .uploading
            {
                complain(.queueMoves, "\(name(client)): \(message.id) is ready and does not go out")
            }
        }
    }

    /// Checks that messages with overdue replies are looked up. Before a turn with a working store: the timer came in time.
    /// After it: the core did what was due.
    func judgeOverdue(_ client: Int) {
        guard clients[client].isForeground, clients[client].core.connection == .ready,
            let user = clients[client].core.authorisedClientID, let live = clients[client].core.liveGeneration
        else { return }
        let link = clients[client].watch.links[live.number]
        for message in clients[client].watch.messages where message.user == user && !message.isGivenUp {
            guard let since = message.overdueSince, message.link == link, message.isOutcomeUnknown,
                message.told == .sending, !message.isLookedUp, message.transmissions <= Self.mostTransmissions
            else { continue }
            let limit = max(since + SimulationClock.nanoseconds(Self.patience), clients[client].judgedSince)
            if now > limit, now - limit > SimulationClock.nanoseconds(Self.slack) {
                complain(
                    .overdueAnswer,
                    "\(name(client)): the answer to \(message.id) is overdue since \(since / 1_000_000), and it is not looked up"
                )
            }
        }
    }
}
