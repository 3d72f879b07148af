import Foundation
import Testing

@testable import ChatCenterCore
@testable import ChatCenterUI

/// Tests files, pictures and voice messages of the view model.
@MainActor @Suite struct ChatViewModelFileTests {
    func item(_ file: ChatScreenMessage.File = .sample()) -> ChatFileItem {
        ChatFileItem(file, at: 0, of: MessageID("m"), texts: .keys())
    }

    let voice = ChatScreenMessage.File.sample("v.m4a", type: "audio/mp4", voice: .init(durationMilliseconds: 4000))

    @Test func aFileIsDownloadedAndShown() async throws {
        let test = TestModel()
        test.model.open(item())
        #expect(test.model.downloads[item().id] == .loading(nil))
        await test.settle()
        #expect(test.model.downloads[item().id] == nil)
        let preview = try #require(test.model.preview)
        #expect(preview.lastPathComponent == "a.pdf")
        #expect(try Data(contentsOf: preview) == Data([1, 2, 3]))
        test.model.closePreview()
        #expect(test.model.preview == nil)
        #expect(!FileManager.default.fileExists(atPath: preview.path))
    }

    @Test func aFailedDownloadNamesTheReason() async {
        let test = TestModel()
        test.screen.fail(TransportFailure(.timedOut))
        test.model.open(item())
        await test.settle()
        #expect(test.model.downloads[item().id] == .failed("errors.during_load_file"))
        test.screen.fail(nil)
        test.model.open(item())
        await test.settle()
        #expect(test.model.downloads[item().id] == nil)
        test.model.closePreview()
    }

    @Test func unusableFilesAreNotDownloaded() {
        let test = TestModel()
        test.model.open(item(.sample(state: .expired)))
        #expect(test.model.downloadTasks.isEmpty)
    }

    @Test func smallPicturesAreShownOnce() async {
        var options = ChatViewOptions()
        options.largestPicture = 100
        let test = TestModel(options: options)
        let small = item(.sample("a.png", type: "image/png", size: 100))
        #expect(await test.model.picture(small) == Data([1, 2, 3]))
        #expect(await test.model.picture(small) == Data([1, 2, 3]))
        #expect(test.screen.calls == ["download a.png"], "the second time it comes from the memory")
        #expect(await test.model.picture(item(.sample("b.png", type: "image/png", size: 101))) == nil)
        #expect(await test.model.picture(item(.sample("c.png", type: "image/png", size: nil))) == nil)
        #expect(await test.model.picture(item()) == nil)
        #expect(test.screen.calls.isEmpty)
    }

    @Test func photosCanBeTurnedOff() async {
        var options = ChatViewOptions()
        options.showsPhotos = false
        #expect(await TestModel(options: options).model.picture(at: "https://a.example/p") == nil)
        let test = TestModel()
        #expect(await test.model.picture(at: "p") != nil)
        #expect(await test.model.picture(at: nil) == nil)
        #expect(await test.model.picture(at: "") == nil)
        #expect(test.screen.calls == ["picture p"])
    }

    @Test func aVoiceMessageIsPlayed() async {
        let test = TestModel()
        let item = item(voice)
        test.model.togglePlayback(item)
        #expect(test.model.playback.isLoading(item.id))
        await test.settle()
        #expect(test.audio.calls == ["load 3", "play 0"])
        test.audio.position = 2000
        test.model.playbackTick()
        #expect(test.model.playback.share(of: item.id) == 0.5)
        test.model.seek(item, to: 0.25)
        test.audio.position = nil
        test.model.playbackTick()
        #expect(!test.model.playback.isPlaying(item.id))
        test.model.appeared()
        test.model.togglePlayback(item)
        test.model.disappeared()
        #expect(test.audio.calls == ["load 3", "play 0", "play 1000", "play 0", "stop"])
    }

    @Test func aVoiceMessageThatCannotBeDownloadedStops() async {
        let test = TestModel()
        test.screen.fail(TransportFailure(.timedOut))
        test.model.togglePlayback(item(voice))
        await test.settle()
        #expect(test.model.playback.state == .idle)
        #expect(test.model.downloads[item(voice).id] == .failed("errors.during_load_file"))
    }

    @Test func aVoiceMessageIsRecorded() async throws {
        let test = TestModel()
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).m4a")
        try Data([1]).write(to: place)
        test.audio.recorded = place
        await test.model.beginRecording()
        #expect(test.model.recording.isRecording)
        test.now += 2000
        await test.model.finishRecording()
        #expect(test.screen.calls == ["file id2 \(place.lastPathComponent) audio/mp4 2000"])
        #expect(!FileManager.default.fileExists(atPath: place.path), "the SDK has its own copy")
    }

    @Test func aRecordingIsDeletedWhenTheViewDisappears() async throws {
        let test = TestModel()
        let place = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).m4a")
        try Data([1]).write(to: place)
        test.audio.recorded = place
        test.model.appeared()
        await test.model.beginRecording()
        test.model.disappeared()
        #expect(!test.model.recording.isRecording)
        #expect(!FileManager.default.fileExists(atPath: place.path))
        #expect(test.screen.calls == ["appear", "disappear"])
    }

    @Test func aMicrophoneThatIsNotAllowed() async {
        let test = TestModel()
        test.audio.isAllowed = false
        await test.model.beginRecording()
        #expect(test.model.sendError == "errors.microphone_denied")
        test.audio.isAllowed = true
        test.audio.canRecord = false
        await test.model.beginRecording()
        #expect(test.model.sendError == "errors.voice_message")
        #expect(!test.model.recording.isRecording)
    }
}
