import ChatWire

// Files: up before their message, down when asked for.
extension ChatCore {
    /// Starts the first upload that waits. One at a time, in the order of the queue.
    mutating func settleUploads(_ turn: inout Turn) {
        guard isForeground, mayCall, let session, !jobs.contains(where: { $0.state == .uploading }) else { return }
        guard
            let index = jobs.firstIndex(where: { waits($0) && $0.retryAt == nil })
        else { return }
        let end = jobs[index].endsAt ?? turn.now.after(milliseconds: settings.uploadTimeout).monotonic
        jobs[index].endsAt = end
        jobs[index].state = .uploading
        window.touch()
        let job = jobs[index]
        turn.save(.saveAttachment(job), of: session.user.clientID)
        uploadCredentials = session.credentials
        let plan = UploadPlan(
            file: job.file, resume: job.checkpoint,
            timeoutMilliseconds: max(1, end.saturatingAdd(0 &- turn.now.monotonic) / 1_000_000),
            credentials: session.credentials, clientID: session.user.clientID, deviceAddress: session.deviceAddress)
        turn.emit(.network(.upload(job.id, plan)))
    }

    /// The file is to be uploaded, and its message is still in the queue.
    func waits(_ job: AttachmentJob) -> Bool {
        job.state == .planned && window[job.message]?.delivery?.entry != nil
    }

    mutating func transferProgress(_ id: TransferID, _ bytes: Int64, _ total: Int64?, _ turn: inout Turn) {
        turn.emit(.notify(.transferProgress(id, bytes, of: total)))
        guard let job = jobs.first(where: { $0.id == id && $0.state == .uploading }) else { return }
        let progress = UploadProgress(file: id, message: job.message, bytes: bytes, total: total)
        guard let index = uploads.firstIndex(where: { $0.file == id }) else {
            uploads.append(progress)
            return
        }
        // Every few bytes of a large file would draw the screen anew.
        if progress.hundredths == nil || progress.hundredths != uploads[index].hundredths { uploads[index] = progress }
    }

    mutating func transferCheckpoint(_ id: TransferID, _ token: ResumeToken, _ turn: inout Turn) {
        guard let index = jobs.firstIndex(where: { $0.id == id }), let user = session?.user.clientID else { return }
        jobs[index].checkpoint = token
        turn.save(.saveAttachment(jobs[index]), of: user)
    }

    mutating func transferred(
        _ id: TransferID, _ result: Result<RemoteFile, TransportFailure>, _ turn: inout Turn
    ) {
        uploads.removeAll { $0.file == id }
        downloads.removeAll { $0 == id }
        if let job = jobs.first(where: { $0.id == id }) {
            switch result {
            case .success(let file): uploaded(job, file, &turn)
            case .failure(let failure):
                // A late result of a cancelled attempt does not count. A failure that is retried is not reported yet.
                guard job.state == .uploading, uploadFailed(job, failure, &turn) else { return }
            }
        } else if case .failure(let failure) = result {
            turn.emit(.notify(.networkProblem(.call(.download, failure))))
        }
        turn.emit(.notify(.transferred(id, result)))
    }

    /// The message gets the file's id; once it has all of them it may go.
    private mutating func uploaded(_ job: AttachmentJob, _ file: RemoteFile, _ turn: inout Turn) {
        guard let user = session?.user.clientID else { return }
        jobs.removeAll { $0.id == job.id }
        if var message = window[job.message] {
            for index in message.content.attachments.indices
            where message.content.attachments[index].id == job.id.text {
                message.content.attachments[index].result = file.reference
                message.content.attachments[index].state = .ready
                message.content.attachments[index].size = file.size ?? job.file.size
            }
            window.save(message)
            turn.save(.saveMessage(message), of: user)
        }
        turn.save(.removeAttachment(job.id), of: user)
        turn.emit(.discardFile(job.file))
    }

    /// Retries an upload after a transient failure, at most `messageRetryCount` times and within `uploadTimeout`. Otherwise
    /// the message fails, and the job stays so that the user can resend it. Returns true if the upload failed for good.
    private mutating func uploadFailed(
        _ job: AttachmentJob, _ failure: TransportFailure, _ turn: inout Turn
    ) -> Bool {
        guard let user = session?.user.clientID, let index = jobs.firstIndex(where: { $0.id == job.id }) else {
            return true
        }
        jobs[index].state = .planned
        jobs[index].lastFailure = failure
        window.touch()
        turn.save(.saveAttachment(jobs[index]), of: user)
        turn.emit(.notify(.networkProblem(.call(.upload, failure))))
        switch failure.disposition {
        case .authorization
        where tokenRefused(uploadCredentials, failure.unauthorizedRefusal, byFileStore: true, &turn):
            return false
        case .transient where job.failures < configuration.messageRetryCount.value:
            var retry = RetryState(failures: job.failures)
            retry.putOff(
                from: turn.now, base: Int64(configuration.retryInterval.value),
                multiplier: Int64(configuration.retryMultiplier.value), hint: failure.retryAfterMilliseconds,
                entropy: turn.entropy.next())
            jobs[index].failures = retry.failures
            jobs[index].retryAt = retry.at
            turn.log(.info, "the upload \(job.id.text) is tried again, \(retry.failures) failed so far")
            return false
        case .authorization, .transient, .permanent:
            giveUp(job.id, failure, &turn)
            return true
        }
    }

    /// Fails the message of an upload, and cancels its other uploads. Resending the message starts them again.
    private mutating func giveUp(_ id: TransferID, _ failure: TransportFailure, _ turn: inout Turn) {
        guard let message = jobs.first(where: { $0.id == id })?.message else { return }
        for index in jobs.indices where jobs[index].message == message {
            let job = jobs[index]
            jobs[index].startOver()
            uploads.removeAll { $0.file == job.id }
            guard job.state == .uploading else { continue }
            turn.emit(.network(.cancel(.transfer(job.id))))
            if job.id != id { turn.emit(.notify(.transferred(job.id, .failure(TransportFailure(.cancelled))))) }
        }
        window.touch()
        if window[message]?.delivery?.entry != nil {
            fail(message, .upload(failure), mayHaveArrived: false, &turn)
        }
    }

    /// The time on the monotonic clock at which the upload times out; `nil` if its message is not in the queue.
    func uploadEnd(_ job: AttachmentJob) -> Int64? {
        window[job.message]?.delivery?.entry == nil ? nil : job.endsAt
    }

    /// Fails the uploads whose time is over. An upload between two attempts fails with the error of the last attempt.
    mutating func expireUploads(_ turn: inout Turn) {
        for id in jobs.map(\.id) {
            // Another upload of the same message may have failed this one already.
            guard let job = jobs.first(where: { $0.id == id }), let end = uploadEnd(job), end <= turn.now.monotonic
            else { continue }
            let timedOut = TransportFailure(.timedOut)
            let failure = job.state == .uploading ? timedOut : job.lastFailure ?? timedOut
            if job.state == .uploading { turn.emit(.notify(.networkProblem(.call(.upload, failure)))) }
            giveUp(job.id, failure, &turn)
            turn.emit(.notify(.transferred(job.id, .failure(failure))))
        }
    }

    /// Forgets the files of a message. The store does so as a whole: with the message alone they would never be
    /// uploaded, and without some of them the message would go without its files.
    mutating func dropJobs(of message: MessageID, _ turn: inout Turn) {
        guard let user = session?.user.clientID else { return }
        let dropped = jobs.filter { $0.message == message }
        jobs.removeAll { $0.message == message }
        uploads.removeAll { upload in dropped.contains { $0.id == upload.file } }
        for job in dropped { turn.save(.removeAttachment(job.id), of: user) }
        for job in dropped {
            if job.state == .uploading { turn.emit(.network(.cancel(.transfer(job.id)))) }
            turn.emit(.discardFile(job.file))
        }
    }

    mutating func cancelTransfer(_ id: TransferID, _ turn: inout Turn) {
        turn.emit(.network(.cancel(.transfer(id))))
        downloads.removeAll { $0 == id }
        let failure = TransportFailure(.cancelled)
        if let job = jobs.first(where: { $0.id == id }) { _ = uploadFailed(job, failure, &turn) }
        turn.emit(.notify(.transferred(id, .failure(failure))))
    }

    mutating func download(_ id: TransferID, _ reference: String, _ turn: inout Turn) {
        guard let session else {
            turn.emit(.notify(.transferred(id, .failure(TransportFailure(.cancelled)))))
            return
        }
        let plan = DownloadPlan(
            reference: reference, credentials: session.credentials, clientID: session.user.clientID,
            deviceAddress: session.deviceAddress)
        downloads.append(id)
        turn.emit(.network(.download(id, plan)))
    }
}
