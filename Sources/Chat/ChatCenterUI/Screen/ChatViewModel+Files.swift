import ChatCenter
import ChatCenterCore
import Foundation

/// Files, pictures and voice messages.
extension ChatViewModel {
    /// Downloads a file and shows a copy, or cancels its download.
    func open(_ item: ChatFileItem) {
        if let task = downloadTasks[item.id] {
            task.cancel()
            return
        }
        start(item) { [weak self] bytes in
            guard let self else { return }
            do {
                preview = try exports.write(bytes, named: item.name)
            } catch {
                downloads.end(item.id, failure: texts(.unexpectedDuringFile))
            }
        }
    }

    /// The preview was closed. The copies are deleted.
    func closePreview() {
        preview = nil
        exports.deleteAll()
    }

    /// Returns a picture of a message; `nil` if the user must ask for it with a tap.
    func picture(_ item: ChatFileItem) async -> Data? {
        guard options.showsPictures, item.kind == .picture, item.state == .ready, let reference = item.file.reference,
            let size = item.size, size <= options.largestPicture
        else { return nil }
        return await picture(reference) { [screen] in try await screen.bytes(of: item.file) { _ in } }
    }

    /// Returns the photo of an operator or the picture of a button.
    func picture(at address: String?) async -> Data? {
        guard options.showsPhotos, let address, !address.isEmpty else { return nil }
        return await picture(address) { [screen] in try await screen.picture(at: address) }
    }

    private func picture(_ key: String, _ fetch: () async throws -> Data) async -> Data? {
        if let kept = pictures.value(key) { return kept }
        guard let bytes = try? await fetch(), bytes.count <= options.largestPicture else { return nil }
        pictures.keep(bytes, size: bytes.count, for: key)
        return bytes
    }

    /// Sends a photo that is not a file. Its temporary copy is deleted after the SDK has copied it.
    func attach(_ bytes: Data, name: String, type: String) async {
        do {
            var copy = ChatFileExports(name: newID().text)
            let place = try copy.write(bytes, named: name)
            await attach(ChatOutgoingFile(place: place, name: name, type: type), size: Int64(bytes.count))
            copy.deleteAll()
        } catch {
            sendError = texts(.duringFile)
        }
    }

    /// Downloads a file. Returns `false` if the file cannot be downloaded now.
    @discardableResult
    private func start(_ item: ChatFileItem, then use: @escaping @MainActor (Data) -> Void) -> Bool {
        guard item.state == .ready, downloads.begin(item.id) else { return false }
        let (key, file) = (item.id, item.file)
        let onProgress: @Sendable (ChatTransferProgress) -> Void = { [weak self] progress in
            Task { @MainActor [weak self] in  // reason: the SDK reports the progress on its own queue
                self?.downloads.advance(key, to: progress.fraction)
            }
        }
        downloadTasks[key] = Task { [weak self, screen] in  // reason: the user can cancel it, and it outlives the tap
            let result: Result<Data, any Error>
            do {
                result = .success(try await screen.bytes(of: file, onProgress: onProgress))
            } catch {
                result = .failure(error)
            }
            self?.finish(key, result, use)
        }
        return true
    }

    private func finish(
        _ key: ChatFileKey, _ result: Result<Data, any Error>, _ use: @MainActor (Data) -> Void
    ) {
        downloadTasks[key] = nil
        if case .failure = result, playback.isLoading(key) { perform(playback.interrupted()) }
        switch result {
        case .success(let bytes):
            downloads.end(key)
            use(bytes)
        case .failure(is CancellationError):
            downloads.end(key)
        case .failure(let error):
            let cause = (error as? ChatNetworkError)?.failure
            downloads.end(key, failure: cause.map { texts.failure($0) } ?? texts(.duringFile))
        }
    }

    // MARK: Voice messages

    /// Plays or pauses a voice message.
    func togglePlayback(_ item: ChatFileItem) {
        perform(playback.toggle(item.id), item)
    }

    /// Moves the playback to a share of the duration.
    func seek(_ item: ChatFileItem, to share: Double) {
        perform(playback.seek(item.id, to: share), item)
    }

    /// Reads the position of the player. The view calls it while a message is playing.
    func playbackTick() {
        guard case .playing = playback.state else { return }
        if let position = audio.position {
            playback.advanced(to: position)
        } else {
            playback.finished()
        }
    }

    func perform(_ actions: [ChatVoicePlayback.Action], _ item: ChatFileItem? = nil) {
        for action in actions {
            switch action {
            case .load(let key):
                guard let item else { continue }
                let isStarted = start(item) { [weak self] bytes in
                    guard let self, playback.isLoading(key) else { return }
                    perform(playback.loaded(key, duration: audio.load(bytes)), item)
                }
                if !isStarted { perform(playback.interrupted()) }
            case .play(let position): audio.play(from: position)
            case .pause: audio.pause()
            case .stop: audio.stop()
            }
        }
    }

    /// Begins to record a voice message.
    func beginRecording() async {
        perform(playback.interrupted())
        guard recording.begin() == [.ask] else { return }
        let isAllowed = await audio.askForMicrophone()
        perform(recording.answered(isAllowed, now: now()))
        if !isAllowed { sendError = texts(.microphoneDenied) }
    }

    /// Ends the recording and sends it. The temporary file is deleted after the SDK has copied it.
    func finishRecording() async { await send(recording.end(now: now())) }

    /// Ends the recording and deletes it.
    func cancelRecording() { perform(recording.cancel()) }

    /// Ends the recording if it is as long as the options allow. The view calls it while a recording is in progress.
    func recordingTick(now: Int64) async { await send(recording.tick(now: now, longest: options.longestRecording)) }

    private func send(_ actions: [ChatVoiceRecording.Action]) async {
        guard case .send(let duration)? = actions.first else { return perform(actions) }
        guard let place = audio.endRecording() else {
            sendError = texts(.voiceMessageError)
            return
        }
        await attach(
            ChatOutgoingFile(
                place: place, name: place.lastPathComponent, type: "audio/mp4", durationMilliseconds: duration),
            size: nil)
        try? FileManager.default.removeItem(at: place)
    }

    func perform(_ actions: [ChatVoiceRecording.Action]) {
        for action in actions {
            switch action {
            // `beginRecording` and `send` handle these, because they wait.
            case .ask, .send: break
            case .start:
                guard !audio.startRecording() else { continue }
                perform(recording.failed())
                sendError = texts(.voiceMessageError)
            case .discard:
                if let place = audio.endRecording() { try? FileManager.default.removeItem(at: place) }
            }
        }
    }
}

/// The player and the recorder of voice messages.
@MainActor protocol ChatAudio: AnyObject {
    /// The position of the player in milliseconds; `nil` if it has reached the end.
    var position: Int64? { get }
    /// Opens a voice message. Returns its duration in milliseconds, or `nil` if it cannot be played.
    func load(_ bytes: Data) -> Int64?
    func play(from position: Int64)
    func pause()
    func stop()
    /// Asks the user whether the app may use the microphone, unless the user has answered already.
    func askForMicrophone() async -> Bool
    /// Begins to record. Returns `false` if that is not possible.
    func startRecording() -> Bool
    /// Ends the recording. Returns the place of the file.
    func endRecording() -> URL?
}

extension ChatUITexts {
    /// Returns why a message was not accepted.
    func sendError(_ error: ChatSendError) -> String {
        if let refusal = error.attachmentRefusal { return self.refusal(refusal) }
        return switch error.code {
        case .messageTooLong: self(.inputTooLong)
        default: ChatPlainText.line(error.reason)
        }
    }

    /// Returns why the server would not accept a file.
    func refusal(_ refusal: ChatAttachmentLimits.Refusal) -> String {
        switch refusal {
        case .tooLarge(let limit): self(.fileTooLarge) + " (" + format.size(limit) + ")"
        case .typeNotAllowed(_, let allowed):
            self(.disallowedFile)
                + (allowed.isEmpty ? "" : ": " + allowed.prefix(20).map(ChatPlainText.line).joined(separator: ", "))
        }
    }
}
