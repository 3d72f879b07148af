import ChatWire

// Files: up before their message, down when asked for.
extension ChatCore {
    /// Starts the first upload that waits. One at a time, in the order of the queue.
    mutating func settleUploads(_ turn: inout Turn) {
        guard isForeground, mayCall, let session, !jobs.contains(where: { $0.state == .uploading }) else { return }
        guard
            let index = jobs.firstIndex(where: { waits($0) && $0.retryAt == nil })
        else { return }
        jobs[index].state = .uploading
        window.touch()
        let job = jobs[index]
        turn.save(.saveAttachment(job), of: session.user.clientID)
        uploadCredentials = session.credentials
        let plan = UploadPlan(
            file: job.file, resume: job.checkpoint, credentials: session.credentials,
            clientID: session.user.clientID, deviceAddress: session.deviceAddress)
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
        if let job = jobs.first(where: { $0.id == id }) {
            switch result {
            case .success(let file): uploaded(job, file, &turn)
            case .failure(let failure):
                // What is tried again has no outcome yet.
                guard uploadFailed(job, failure, &turn) else { return }
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

    /// A failure that may pass is tried again, as often as `messageRetryCount` says; the message keeps its place
    /// meanwhile. Otherwise the message fails and lets the next ones go; the job stays, so that it can be sent again.
    /// True when that is the end.
    private mutating func uploadFailed(
        _ job: AttachmentJob, _ failure: TransportFailure, _ turn: inout Turn
    ) -> Bool {
        guard let user = session?.user.clientID, let index = jobs.firstIndex(where: { $0.id == job.id }) else {
            return true
        }
        jobs[index].state = .planned
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
            jobs[index].failures = 0
            if window[job.message]?.delivery?.entry != nil {
                fail(job.message, .upload(failure), mayHaveArrived: false, &turn)
            }
            return true
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
        turn.emit(.network(.download(id, plan)))
    }
}
