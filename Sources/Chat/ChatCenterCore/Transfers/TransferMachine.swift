import ChatWire

/// A state machine for file transfers: uploads, one at a time and in the order of the queue, before their messages, and
/// downloads on request. The window owns the messages; each method receives it.
struct TransferMachine: Hashable, Sendable {
    /// The time limit for all attempts of an upload together, in milliseconds.
    private let uploadTimeout: Int64
    private var jobs: [AttachmentJob] = []
    /// The downloads that the host application waits for.
    private var downloads: [TransferID] = []
    /// The progress of the uploads.
    private(set) var progress: [UploadProgress] = []
    /// The credentials of the upload in progress; there is at most one.
    private var credentials: WireCredentials?

    init(uploadTimeout: Int64) {
        self.uploadTimeout = uploadTimeout
    }

    // MARK: Looking

    /// The messages with an upload in progress.
    var uploadingMessages: [MessageID] { jobs.filter { $0.state == .uploading }.map(\.message) }

    /// The messages that wait for files.
    var waitingMessages: Set<MessageID> { Set(jobs.map(\.message)) }

    func isUploading(_ message: MessageID) -> Bool {
        jobs.contains { $0.message == message && $0.state == .uploading }
    }

    /// Returns whether the file is scheduled for upload or is being uploaded.
    func hasUpload(_ id: TransferID) -> Bool { jobs.contains { $0.id == id } }

    /// Returns the time of the next call of `expire` or `startNext`, on the monotonic clock.
    func wake(_ window: MessageWindow, mayCall: Bool) -> Int64? {
        jobs.lazy.flatMap { job in
            [uploadEnd(job, window), mayCall && waits(job, window) ? job.retryAt : nil]
        }.compactMap(\.self).min()
    }

    /// Returns whether the file waits for its upload and its message is still queued.
    private func waits(_ job: AttachmentJob, _ window: MessageWindow) -> Bool {
        job.state == .planned && window[job.message]?.delivery?.entry != nil
    }

    /// Returns the time on the monotonic clock at which the upload times out; `nil` if its message is not queued.
    private func uploadEnd(_ job: AttachmentJob, _ window: MessageWindow) -> Int64? {
        window[job.message]?.delivery?.entry == nil ? nil : job.endsAt
    }

    // MARK: Users

    /// Restores the stored uploads.
    mutating func restore(_ restored: [AttachmentJob]) {
        jobs = restored
        for index in jobs.indices { jobs[index].startOver() }
    }

    /// Cancels all transfers and deletes the user's state.
    mutating func forgetUser() -> [CoreAction] {
        var actions: [CoreAction] = []
        for job in jobs { actions += [.network(.cancel(.transfer(job.id))), .effect(.discardFile(job.file))] }
        for id in downloads {
            actions.append(.network(.cancel(.transfer(id))))
            actions.append(.notify(.transferred(id, .failure(TransportFailure(.cancelled)))))
        }
        self = TransferMachine(uploadTimeout: uploadTimeout)
        return actions
    }

    // MARK: The files of a message

    /// Schedules the uploads of a new message and returns them, so that they are stored with the message.
    mutating func plan(_ files: [OutgoingMessage.File], of message: MessageID) -> [AttachmentJob] {
        let planned = files.map { AttachmentJob(id: $0.id, message: message, file: $0.file) }
        jobs += planned
        return planned
    }

    /// Undoes `plan` because the upload could not be stored.
    mutating func takeBack(_ id: TransferID) { jobs.removeAll { $0.id == id } }

    /// Resets the uploads of a failed message that the user sends again.
    mutating func startOver(_ message: MessageID) {
        for index in jobs.indices where jobs[index].message == message { jobs[index].startOver() }
    }

    /// Removes the uploads of a message. The caller also removes the message in the same commit: uploads without a
    /// message would never start, and a message without its uploads would be sent without its files.
    mutating func drop(_ message: MessageID) -> [CoreAction] {
        let dropped = jobs.filter { $0.message == message }
        jobs.removeAll { $0.message == message }
        progress.removeAll { upload in dropped.contains { $0.id == upload.file } }
        var actions = dropped.map { CoreAction.save(.removeAttachment($0.id)) }
        for job in dropped {
            if job.state == .uploading { actions.append(.network(.cancel(.transfer(job.id)))) }
            actions.append(.effect(.discardFile(job.file)))
        }
        return actions
    }

    // MARK: Starting

    /// Starts the first waiting upload if no upload is in progress.
    mutating func startNext(for account: Account, in window: MessageWindow, at now: Moment) -> [CoreAction] {
        guard !jobs.contains(where: { $0.state == .uploading }),
            let index = jobs.firstIndex(where: { waits($0, window) && $0.retryAt == nil })
        else { return [] }
        let end = jobs[index].endsAt ?? now.after(milliseconds: uploadTimeout).monotonic
        jobs[index].endsAt = end
        jobs[index].state = .uploading
        credentials = account.credentials
        let job = jobs[index]
        let plan = UploadPlan(
            file: job.file, resume: job.checkpoint,
            timeoutMilliseconds: max(1, end.saturatingAdd(0 &- now.monotonic) / 1_000_000),
            credentials: account.credentials, clientID: account.clientID, deviceAddress: account.deviceAddress)
        return [.redraw, .save(.saveAttachment(job)), .network(.upload(job.id, plan))]
    }

    /// Starts a download. Without an account it fails at once.
    mutating func download(_ id: TransferID, _ reference: String, for account: Account?) -> [CoreAction] {
        guard let account else { return [.notify(.transferred(id, .failure(TransportFailure(.cancelled))))] }
        downloads.append(id)
        let plan = DownloadPlan(
            reference: reference, credentials: account.credentials, clientID: account.clientID,
            deviceAddress: account.deviceAddress)
        return [.network(.download(id, plan))]
    }

    /// Ends the waits between attempts, because the conditions improved.
    mutating func retryNow() {
        for index in jobs.indices { jobs[index].retryAt = nil }
    }

    // MARK: Events

    mutating func progressed(_ id: TransferID, _ bytes: Int64, of total: Int64?) -> [CoreAction] {
        let actions = [CoreAction.notify(.transferProgress(id, bytes, of: total))]
        guard let job = jobs.first(where: { $0.id == id && $0.state == .uploading }) else { return actions }
        let next = UploadProgress(file: id, message: job.message, bytes: bytes, total: total)
        guard let index = progress.firstIndex(where: { $0.file == id }) else {
            progress.append(next)
            return actions
        }
        // Redrawing the screen for every few bytes of a large file would be wasteful.
        if next.hundredths == nil || next.hundredths != progress[index].hundredths { progress[index] = next }
        return actions
    }

    mutating func reachedCheckpoint(_ id: TransferID, _ token: UploadCheckpoint) -> [CoreAction] {
        guard let index = jobs.firstIndex(where: { $0.id == id }) else { return [] }
        jobs[index].checkpoint = token
        return [.save(.saveAttachment(jobs[index]))]
    }

    /// Handles the end of a transfer or of an upload attempt.
    mutating func ended(
        _ id: TransferID, _ result: Result<RemoteFile, TransportFailure>, in window: MessageWindow, at now: Moment,
        _ configuration: EffectiveConfiguration, entropy: inout EntropySource
    ) -> [CoreAction] {
        progress.removeAll { $0.file == id }
        let isDownload = downloads.contains(id)
        downloads.removeAll { $0 == id }
        let end = CoreAction.notify(.transferred(id, result))
        switch (jobs.first { $0.id == id }, result) {
        // A late result of what was cancelled, or of an upload that is not wanted any more.
        case (nil, _) where !isDownload: return []
        case (let job?, .success(let file)): return uploaded(job, file, window) + [end]
        case (let job?, .failure(let failure)):
            // The attempt was cancelled before this result arrived.
            guard job.state == .uploading else { return [] }
            return failed(job, failure, window, now, configuration, &entropy)
        case (nil, .failure(let failure)): return [.notify(.networkProblem(.call(.download, failure))), end]
        case (nil, .success): return [end]
        }
    }

    /// Sets the file's id in the message. The message can be sent once it has the ids of all its files.
    private mutating func uploaded(_ job: AttachmentJob, _ file: RemoteFile, _ window: MessageWindow) -> [CoreAction] {
        jobs.removeAll { $0.id == job.id }
        var actions: [CoreAction] = []
        if var message = window[job.message] {
            for index in message.content.attachments.indices
            where message.content.attachments[index].id == job.id.text {
                message.content.attachments[index].result = file.reference
                message.content.attachments[index].state = .ready
                message.content.attachments[index].size = file.size ?? job.file.size
            }
            actions.append(.keep(message))
        }
        return actions + [.save(.removeAttachment(job.id)), .effect(.discardFile(job.file))]
    }

    /// Retries an upload after a transient failure, at most `messageRetryCount` times and within `uploadTimeout`.
    /// Otherwise the message fails, and the job stays so that the user can resend it. A failure that is retried is not
    /// reported to the waiting caller.
    private mutating func failed(
        _ job: AttachmentJob, _ failure: TransportFailure, _ window: MessageWindow, _ now: Moment,
        _ configuration: EffectiveConfiguration, _ entropy: inout EntropySource
    ) -> [CoreAction] {
        guard let index = jobs.firstIndex(where: { $0.id == job.id }) else { return [] }
        jobs[index].state = .planned
        jobs[index].lastFailure = failure
        let actions: [CoreAction] = [
            .redraw, .save(.saveAttachment(jobs[index])), .notify(.networkProblem(.call(.upload, failure))),
        ]
        switch failure.disposition {
        case .authorization: return actions + [.tokenRefused(job.id, credentials, failure)]
        case .transient where job.failures < configuration.messageRetryCount.value:
            var retry = RetryState(failures: job.failures)
            retry.putOff(
                from: now, base: Int64(configuration.retryInterval.value),
                multiplier: Int64(configuration.retryMultiplier.value), hint: failure.retryAfterMilliseconds,
                entropy: entropy.next())
            jobs[index].failures = retry.failures
            jobs[index].retryAt = retry.at
            return actions + [.log(.info, "retrying the upload \(job.id.text) after \(retry.failures) failed attempts")]
        case .transient, .permanent: return actions + giveUp(job.id, failure, window)
        }
    }

    /// Handles the refusal of an upload's token. The upload is retried with the next token if `isRetried` is true;
    /// otherwise it fails.
    mutating func tokenDecided(
        _ id: TransferID, _ failure: TransportFailure, isRetried: Bool, in window: MessageWindow
    ) -> [CoreAction] {
        isRetried ? [] : giveUp(id, failure, window)
    }

    /// Fails the message of an upload, and cancels its other uploads. Resending the message starts them again.
    private mutating func giveUp(_ id: TransferID, _ failure: TransportFailure, _ window: MessageWindow) -> [CoreAction]
    {
        let end = CoreAction.notify(.transferred(id, .failure(failure)))
        guard let message = jobs.first(where: { $0.id == id })?.message else { return [end] }
        var actions: [CoreAction] = []
        for index in jobs.indices where jobs[index].message == message {
            let job = jobs[index]
            jobs[index].startOver()
            progress.removeAll { $0.file == job.id }
            guard job.state == .uploading else { continue }
            actions.append(.network(.cancel(.transfer(job.id))))
            if job.id != id {
                actions.append(.notify(.transferred(job.id, .failure(TransportFailure(.cancelled)))))
            }
        }
        actions.append(.redraw)
        if window[message]?.delivery?.entry != nil { actions.append(.fail(message, failure)) }
        return actions + [end]
    }

    /// Fails the uploads that timed out, and ends expired waits. An upload between two attempts fails with the error of
    /// the last attempt.
    mutating func expire(_ window: MessageWindow, at now: Moment) -> [CoreAction] {
        var actions: [CoreAction] = []
        for id in jobs.map(\.id) {
            // Another upload of the same message may already have failed this one.
            guard let job = jobs.first(where: { $0.id == id }), let end = uploadEnd(job, window), end <= now.monotonic
            else { continue }
            let timedOut = TransportFailure(.timedOut)
            let failure = job.state == .uploading ? timedOut : job.lastFailure ?? timedOut
            if job.state == .uploading { actions.append(.notify(.networkProblem(.call(.upload, failure)))) }
            actions += giveUp(job.id, failure, window)
        }
        for index in jobs.indices {
            if let retryAt = jobs[index].retryAt, retryAt <= now.monotonic { jobs[index].retryAt = nil }
        }
        return actions
    }

    /// Cancels a transfer at the user's request. The message of an upload fails.
    mutating func cancel(
        _ id: TransferID, in window: MessageWindow, at now: Moment, _ configuration: EffectiveConfiguration,
        entropy: inout EntropySource
    ) -> [CoreAction] {
        downloads.removeAll { $0 == id }
        let cancellation = CoreAction.network(.cancel(.transfer(id)))
        let failure = TransportFailure(.cancelled)
        guard let job = jobs.first(where: { $0.id == id }) else {
            return [cancellation, .notify(.transferred(id, .failure(failure)))]
        }
        return [cancellation] + failed(job, failure, window, now, configuration, &entropy)
    }
}
