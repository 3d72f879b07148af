import ChatCenterCore
import Testing

@testable import ChatCenterUI

/// Tests playing and recording voice messages.
@Suite struct ChatVoiceTests {
    let one = ChatFileKey(message: MessageID("1"), index: 0)
    let two = ChatFileKey(message: MessageID("2"), index: 0)

    @Test func playPauseAndSeek() {
        var playback = ChatVoicePlayback()
        #expect(playback.toggle(one) == [.load(one)])
        #expect(playback.isLoading(one))
        #expect(playback.loaded(one, duration: 4000) == [.play(from: 0)])
        playback.advanced(to: 1000)
        #expect(playback.share(of: one) == 0.25)
        #expect(playback.seek(one, to: 0.5) == [.play(from: 2000)])
        #expect(playback.toggle(one) == [.pause])
        #expect(playback.seek(one, to: 2).isEmpty)
        #expect(playback.toggle(one) == [.play(from: 0)], "it plays from the beginning after the end")
        playback.finished()
        #expect(playback.share(of: one) == 0)
        #expect(!playback.isPlaying(one))
        #expect(playback.seek(two, to: 0.5).isEmpty)
        #expect(playback.seek(one, to: .nan).isEmpty)
    }

    @Test func oneMessagePlaysAtATime() {
        var playback = ChatVoicePlayback()
        _ = playback.toggle(one)
        #expect(playback.toggle(two) == [.stop, .load(two)])
        #expect(playback.loaded(one, duration: 4000).isEmpty, "the first file arrives too late")
        #expect(playback.loaded(two, duration: nil) == [.stop], "it cannot be played")
        #expect(playback.state == .idle)
        _ = playback.toggle(two)
        #expect(playback.toggle(two).isEmpty, "a second tap cancels")
        #expect(playback.state == .idle)
        #expect(playback.interrupted().isEmpty)
    }

    @Test func aRecordingIsSentOrDiscarded() {
        var recording = ChatVoiceRecording()
        #expect(recording.begin() == [.ask])
        #expect(recording.begin().isEmpty)
        #expect(recording.answered(true, now: 1000) == [.start])
        #expect(recording.elapsed(now: 3000) == 2000)
        #expect(recording.end(now: 3000) == [.send(duration: 2000)])
        #expect(recording.end(now: 3000).isEmpty)

        _ = recording.begin()
        _ = recording.answered(true, now: 1000)
        #expect(recording.end(now: 1100) == [.discard], "a tap by mistake")
        _ = recording.begin()
        _ = recording.answered(true, now: 1000)
        #expect(recording.cancel() == [.discard])
        #expect(recording.cancel().isEmpty)
    }

    @Test func aRecordingEndsAtItsLimit() {
        var recording = ChatVoiceRecording()
        _ = recording.begin()
        _ = recording.answered(true, now: 0)
        #expect(recording.tick(now: 9999, longest: 10_000).isEmpty)
        #expect(recording.tick(now: 10_000, longest: 10_000) == [.send(duration: 10_000)])
        #expect(recording.tick(now: 20_000, longest: 10_000).isEmpty)
        _ = recording.begin()
        _ = recording.answered(true, now: .min)
        #expect(recording.end(now: .max) == [.discard], "a clock that jumps")
    }

    @Test func aMicrophoneThatCannotBeUsed() {
        var recording = ChatVoiceRecording()
        _ = recording.begin()
        #expect(recording.answered(false, now: 0).isEmpty)
        #expect(recording.state == .failed)
        #expect(recording.begin() == [.ask], "the user can try again")
        _ = recording.answered(true, now: 0)
        #expect(recording.failed() == [.discard])
        #expect(recording.answered(true, now: 0).isEmpty)
    }
}
