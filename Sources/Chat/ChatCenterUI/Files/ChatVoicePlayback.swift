import ChatCenterCore

/// The playback of voice messages: one at a time.
struct ChatVoicePlayback: Hashable, Sendable {
    /// The state of the voice message that was started last.
    enum State: Hashable, Sendable {
        /// No message was started.
        case idle
        /// The file is being downloaded.
        case loading(ChatFileKey)
        /// The message is playing. The position is in milliseconds.
        case playing(ChatFileKey, position: Int64, duration: Int64)
        /// The message is paused.
        case paused(ChatFileKey, position: Int64, duration: Int64)
    }

    /// What the player must do.
    enum Action: Hashable, Sendable {
        /// Downloads the file, then calls `loaded`.
        case load(ChatFileKey)
        /// Starts or continues at a position, in milliseconds.
        case play(from: Int64)
        case pause
        /// Stops and releases the player.
        case stop
    }

    private(set) var state = State.idle

    /// The user tapped the button of a voice message.
    mutating func toggle(_ key: ChatFileKey) -> [Action] {
        switch state {
        case .loading(key):
            state = .idle
            return []
        case .playing(key, let position, let duration):
            state = .paused(key, position: position, duration: duration)
            return [.pause]
        case .paused(key, let position, let duration):
            let begin = position >= duration ? 0 : position
            state = .playing(key, position: begin, duration: duration)
            return [.play(from: begin)]
        case .idle:
            state = .loading(key)
            return [.load(key)]
        case .loading, .playing, .paused:
            state = .loading(key)
            return [.stop, .load(key)]
        }
    }

    /// The file was downloaded and opened; `nil` if that failed.
    mutating func loaded(_ key: ChatFileKey, duration: Int64?) -> [Action] {
        // The user may have started another message meanwhile.
        guard state == .loading(key) else { return [] }
        guard let duration, duration > 0 else {
            state = .idle
            return [.stop]
        }
        state = .playing(key, position: 0, duration: duration)
        return [.play(from: 0)]
    }

    /// The player reached a position.
    mutating func advanced(to position: Int64) {
        guard case .playing(let key, _, let duration) = state else { return }
        state = .playing(key, position: min(max(position, 0), duration), duration: duration)
    }

    /// The player reached the end of the message.
    mutating func finished() {
        guard case .playing(let key, _, let duration) = state else { return }
        state = .paused(key, position: 0, duration: duration)
    }

    /// The user chose a position, as a share of the duration.
    mutating func seek(_ key: ChatFileKey, to share: Double) -> [Action] {
        let share = share.isNaN ? 0 : min(max(share, 0), 1)
        switch state {
        case .playing(key, _, let duration):
            let position = Int64(Double(duration) * share)
            state = .playing(key, position: position, duration: duration)
            return [.play(from: position)]
        case .paused(key, _, let duration):
            state = .paused(key, position: Int64(Double(duration) * share), duration: duration)
            return []
        default: return []
        }
    }

    /// The view disappears, or another app plays sound.
    mutating func interrupted() -> [Action] {
        let wasIdle = state == .idle
        state = .idle
        return wasIdle ? [] : [.stop]
    }

    /// The progress of a voice message, as a share of its duration; `nil` unless it was started last.
    func share(of key: ChatFileKey) -> Double? {
        switch state {
        case .playing(key, let position, let duration), .paused(key, let position, let duration):
            Double(position) / Double(duration)
        default: nil
        }
    }

    /// Whether a voice message is playing.
    func isPlaying(_ key: ChatFileKey) -> Bool {
        if case .playing(key, _, _) = state { true } else { false }
    }

    /// Whether the file of a voice message is being downloaded for playing.
    func isLoading(_ key: ChatFileKey) -> Bool { state == .loading(key) }
}

/// The recording of a voice message.
struct ChatVoiceRecording: Hashable, Sendable {
    /// The state of the recording.
    enum State: Hashable, Sendable {
        case idle
        /// The user is asked whether the app may use the microphone.
        case asking
        /// The recording began at this time, in milliseconds since 1970.
        case recording(since: Int64)
        /// The microphone cannot be used.
        case failed
    }

    /// What the recorder must do.
    enum Action: Hashable, Sendable {
        /// Asks for the permission, then calls `answered`.
        case ask
        /// Starts, then calls `failed` if that is not possible.
        case start
        /// Ends the recording and sends it. The duration is in milliseconds.
        case send(duration: Int64)
        /// Ends the recording and deletes it.
        case discard
    }

    /// The shortest recording that is sent, in milliseconds. A shorter one is a tap by mistake.
    static let shortest: Int64 = 500

    private(set) var state = State.idle

    /// Whether a recording is in progress.
    var isRecording: Bool { if case .recording = state { true } else { false } }

    /// The user tapped the button that begins a recording.
    mutating func begin() -> [Action] {
        switch state {
        case .idle, .failed:
            state = .asking
            return [.ask]
        case .asking, .recording: return []
        }
    }

    /// The user answered whether the app may use the microphone.
    mutating func answered(_ isAllowed: Bool, now: Int64) -> [Action] {
        guard state == .asking else { return [] }
        state = isAllowed ? .recording(since: now) : .failed
        return isAllowed ? [.start] : []
    }

    /// The microphone cannot be used.
    mutating func failed() -> [Action] {
        let wasRecording = isRecording
        state = .failed
        return wasRecording ? [.discard] : []
    }

    /// The user ends the recording to send it.
    mutating func end(now: Int64) -> [Action] {
        guard case .recording(let begin) = state else { return [] }
        state = .idle
        let duration = elapsed(since: begin, now)
        return duration < Self.shortest ? [.discard] : [.send(duration: duration)]
    }

    /// The user cancels the recording, or the view disappears.
    mutating func cancel() -> [Action] {
        let wasRecording = isRecording
        state = .idle
        return wasRecording ? [.discard] : []
    }

    /// Ends the recording if it has reached the limit. Call it while time passes.
    mutating func tick(now: Int64, longest: Int64) -> [Action] {
        guard case .recording(let begin) = state, elapsed(since: begin, now) >= longest else { return [] }
        return end(now: now)
    }

    /// The duration so far in milliseconds; `nil` unless a recording is in progress.
    func elapsed(now: Int64) -> Int64? {
        guard case .recording(let begin) = state else { return nil }
        return elapsed(since: begin, now)
    }

    private func elapsed(since begin: Int64, _ now: Int64) -> Int64 {
        let (distance, overflow) = now.subtractingReportingOverflow(begin)
        return overflow ? 0 : max(0, distance)
    }
}
