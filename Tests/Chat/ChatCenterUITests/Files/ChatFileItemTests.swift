import Foundation
import Testing

@testable import ChatCenterCore
@testable import ChatCenterUI

/// Tests files, their downloads, and the cache of pictures.
@Suite struct ChatFileItemTests {
    let key = ChatFileKey(message: MessageID("m"), index: 0)

    func item(_ file: ChatScreenMessage.File) -> ChatFileItem {
        ChatFileItem(file, at: 0, of: MessageID("m"), texts: .keys())
    }

    @Test func kindsFollowTheType() {
        #expect(item(.sample()).kind == .other)
        #expect(item(.sample("a.PNG", type: "IMAGE/PNG")).kind == .picture)
        #expect(item(.sample("a.svg", type: "image/svg+xml")).kind == .other, "an SVG file is not drawn")
        let voice = item(.sample("v", type: "audio/mp4", voice: .init(durationMilliseconds: 65_000)))
        #expect(voice.kind == .voice)
        #expect(voice.name == "message.voice_title")
        #expect(voice.details == "1:05 · 1.2 MB")
        #expect(item(.sample(nil, type: "image/png")).name == "message.photo_title")
        #expect(item(.sample("a\u{202E}fdp.exe\n")).name == "afdp.exe")
    }

    @Test func statesOfAFile() {
        #expect(item(.sample()).state == .ready)
        #expect(item(.sample(state: .pending)).status == "message.pending_file")
        #expect(item(.sample(state: .expired)).status == "message.expired_file")
        #expect(item(.sample(state: .failed(code: nil, message: nil))).state == .unusable)
        #expect(item(.sample(state: .failed(code: "1", message: "virus"))).status == "virus")
        #expect(item(.sample(state: .uploading(50, of: 200))).state == .uploading(0.25))
        #expect(item(.sample(state: .uploading(500, of: 200))).state == .uploading(1))
        #expect(item(.sample(state: .uploading(5, of: nil))).state == .uploading(nil))
        #expect(item(.sample(state: .uploading(5, of: 0))).state == .uploading(nil))
        var unknown = ChatScreenMessage.File.sample()
        unknown.reference = nil
        #expect(item(unknown).state == .pending, "without a reference there is nothing to download")
    }

    @Test func aDownloadRunsOnce() {
        var downloads = ChatDownloads()
        #expect(downloads.begin(key) == true)
        #expect(downloads.begin(key) == false)
        downloads.advance(key, to: 7)
        #expect(downloads[key] == .loading(1))
        downloads.end(key, failure: "no")
        #expect(downloads[key] == .failed("no"))
        downloads.advance(key, to: 0.5)
        #expect(downloads[key] == .failed("no"), "progress arrives too late")
        #expect(downloads.begin(key) == true, "a failed download can be repeated")
        downloads.end(key)
        #expect(downloads[key] == nil)
    }

    @Test func theNumberOfDownloadsIsLimited() {
        var downloads = ChatDownloads()
        for index in 0..<ChatDownloads.most {
            #expect(downloads.begin(ChatFileKey(message: MessageID("m"), index: index)) == true)
        }
        #expect(downloads.begin(ChatFileKey(message: MessageID("m"), index: 99)) == false)
    }

    @Test func theCacheDropsTheLeastRecentlyUsed() {
        var cache = ChatPictureCache<String, String>(capacity: 10)
        cache.keep("A", size: 4, for: "a")
        cache.keep("B", size: 4, for: "b")
        #expect(cache.value("a") == "A")
        cache.keep("C", size: 4, for: "c")
        #expect(cache.value("b") == nil)
        #expect(cache.value("a") == "A")
        cache.keep("huge", size: 11, for: "a")
        #expect(cache.value("a") == nil, "a larger picture is not kept")
        #expect(cache.size == 4)
    }

    @Test(arguments: [
        ("a.pdf", "a.pdf"), ("../../etc/passwd", "passwd"), (".hidden", "hidden"), ("", "file"), ("a\\b:c", "c"),
        ("...", "file"), ("x\u{0}y", "xy"),
    ])
    func copiesHaveSafeNames(name: String, safe: String) {
        #expect(ChatFileExports.name(name) == safe)
    }

    @Test func longNamesKeepTheirExtension() {
        let name = ChatFileExports.name(String(repeating: "я", count: 300) + ".pdf")
        #expect(name.hasSuffix(".pdf"))
        #expect(name.utf8.count <= 200)
    }

    @Test func copiesAreDeleted() throws {
        let folder = FileManager.default.temporaryDirectory
        var exports = ChatFileExports(in: folder, name: UUID().uuidString)
        let first = try exports.write(Data([1]), named: "a.pdf")
        let second = try exports.write(Data([2]), named: "a.pdf")
        #expect(first != second)
        #expect(try Data(contentsOf: first) == Data([1]))
        exports.deleteAll()
        #expect(!FileManager.default.fileExists(atPath: first.path))
        #expect(!FileManager.default.fileExists(atPath: second.deletingLastPathComponent().path))
    }
}
