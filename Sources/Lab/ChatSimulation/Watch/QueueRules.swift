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

    /// Returns the message of a file, by the names that `say` gives.
    private func messageIndex(of id: TransferID) -> Int? {
        guard let end = id.text.lastIndex(of: "-") else { return nil }
        return client.watch.index(of: MessageID("c\(id.text[..<end].dropFirst())"))
    }

    /// Checks that no upload takes longer than its time-out, all attempts together.
    func judgeUploads(isBefore: Bool, _ chronicle: inout Chronicle) {
        guard client.isForeground, !client.watch.uploads.isEmpty else { return }
        let timeout = SimulationClock.nanoseconds(client.settings.uploadTimeout)
        for upload in client.watch.uploads where upload.user == client.core.authorisedClientID {
            var limit = upload.since + timeout
            if isBefore { limit = max(limit, client.judgedSince) }
            if chronicle.now > limit, chronicle.now - limit > SimulationClock.nanoseconds(SendRules.slack) {
                chronicle.complain(
                    .uploadsInTime,
                    "\(client.name): \(upload.file) is uploaded since \(upload.since / 1_000_000) and has not failed yet"
                )
            }
        }
    }

    /// Checks that the store does not name a discarded file: the next process would upload it.
    func judgeDiscarded(_ file: LocalFile, _ shelf: any StoreShelf, _ chronicle: inout Chronicle) {
        for user in SimulationSetup.users {
            let kept = try? shelf.store(device: client.index, user: user).restore(window: 0)
            if kept?.attachments.contains(where: { $0.file.name == file.name }) == true {
                chronicle.complain(
                    .filesFirst, "\(client.name) gives up \(file.name), which the store of \(user) still names")
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

    /// Milliseconds.
    private static let patience: Int64 = 2500
    /// Every configuration looks a message up at least so often before its deadline.
    private static let mostTransmissions = 3

    /// Checks after a turn with a working store that every ready message was sent, unless the outcome of another one is
    /// unknown.
    func judgeQueue(_ chronicle: inout Chronicle) {
        guard client.isForeground, client.core.connection == .ready,
            let user = client.core.authorisedClientID, !client.core.awaitsOutcome,
            !client.core.isTellingFarewell
        else { return }
        for message in client.watch.messages where message.user == user && !message.isGivenUp {
            if message.isAcknowledged, !message.mayBeOvertaken, message.missingFiles.isEmpty,
                message.told == .queued || message.told == .uploading
            {
                chronicle.complain(.queueMoves, "\(client.name): \(message.id) is ready and does not go out")
            }
        }
    }

    /// Checks that messages with overdue replies are looked up. Before a turn with a working store: the timer came in
    /// time. After it: the core did what was due.
    func judgeOverdue(_ chronicle: inout Chronicle) {
        guard client.isForeground, client.core.connection == .ready,
            let user = client.core.authorisedClientID, let live = client.core.liveGeneration
        else { return }
        let link = client.watch.links[live.number]
        for message in client.watch.messages where message.user == user && !message.isGivenUp {
            guard let since = message.overdueSince, message.link == link, message.isOutcomeUnknown,
                message.told == .sending, !message.isLookedUp, message.transmissions <= Self.mostTransmissions
            else { continue }
            let limit = max(since + SimulationClock.nanoseconds(Self.patience), client.judgedSince)
            if chronicle.now > limit, chronicle.now - limit > SimulationClock.nanoseconds(SendRules.slack) {
                chronicle.complain(
                    .overdueAnswer,
                    "\(client.name): the answer to \(message.id) is overdue since \(since / 1_000_000), and it is not looked up"
                )
            }
        }
    }
}
