#if canImport(SwiftUI)
import AVFAudio
import CoreAudioTypes
import Foundation

/// Plays and records voice messages with AVFAudio. The app needs `NSMicrophoneUsageDescription` in its Info.plist.
@MainActor final class ChatAudioDevice: ChatAudio {
    private var player: AVAudioPlayer?
    private var recorder: AVAudioRecorder?

    init() {}

    var position: Int64? {
        guard let player, player.isPlaying else { return nil }
        return Int64(player.currentTime * 1000)
    }

    func load(_ bytes: Data) -> Int64? {
        player = try? AVAudioPlayer(data: bytes)
        guard let duration = player?.duration, duration.isFinite, duration > 0 else { return nil }
        return Int64(min(duration, 86_400) * 1000)
    }

    func play(from position: Int64) {
        begin(records: false)
        player?.currentTime = Double(position) / 1000
        _ = player?.play()
    }

    func pause() { player?.pause() }

    func stop() {
        player?.stop()
        player = nil
    }

    func askForMicrophone() async -> Bool { await AVAudioApplication.requestRecordPermission() }

    func startRecording() -> Bool {
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("voice-\(UUID().uuidString).m4a")
        let settings: [String: Any] = [
            AVFormatIDKey: Int(kAudioFormatMPEG4AAC), AVSampleRateKey: 24_000, AVNumberOfChannelsKey: 1,
        ]
        begin(records: true)
        guard let new = try? AVAudioRecorder(url: place, settings: settings), new.record() else { return false }
        recorder = new
        return true
    }

    func endRecording() -> URL? {
        guard let recorder else { return nil }
        self.recorder = nil
        recorder.stop()
        return recorder.url
    }

    /// Prepares the device for playing or recording. A failure shows itself when playing or recording begins.
    private func begin(records: Bool) {
        #if os(iOS)
        let session = AVAudioSession.sharedInstance()
        try? session.setCategory(records ? .playAndRecord : .playback, mode: .default)
        try? session.setActive(true)
        #endif
    }
}
#endif
