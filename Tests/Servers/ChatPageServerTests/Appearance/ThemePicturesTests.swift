import ChatCenter
import ChatPage
import Foundation
import HTTPTypes
import HoldfastTransport
import ServerKit
import Testing

@testable import ChatPageServer

@Suite("Pictures of the theme", .timeLimit(.minutes(1)))
struct ThemePicturesTests {
    /// The first bytes of a PNG file, and others.
    private func png(_ last: UInt8 = 0, size: Int = 64) -> [UInt8] {
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: size - 9) + [last]
    }

    private func themed(_ change: (inout ChatImages) -> Void) -> ChatTheme {
        var theme = ChatTheme()
        change(&theme.images)
        return theme
    }

    @Test("The page shows the theme's pictures, and only the visitor's own browser gets them")
    func served() async throws {
        let theme = themed {
            $0.send = ChatThemeImage(.file(png(1), type: "image/png"))
            $0.emptyChat = ChatThemeImage(.asset("plane"))
        }
        let assets = try ChatPagePictures(["plane": png(2)])
        try await PageUnderTest.with({ $0.pictures = assets }, theme: theme) { page in
            let browser = try await page.signIn()
            let styles = try await browser.get("/theme.css").text
            let paths = Set(styles.matches(of: /url\("(theme\/[0-9a-f]{32})"\)/).map { "/" + String($0.1) })
            #expect(paths.count == 2)
            var bodies: Set<[UInt8]> = []
            for path in paths {
                let answer = try await browser.get(path)
                #expect(answer.status == 200)
                #expect(answer["Content-Type"] == "image/png")
                #expect(answer["X-Content-Type-Options"] == "nosniff")
                #expect(answer["Cache-Control"] == "private, max-age=31536000, immutable")
                bodies.insert(Array(answer.body))
                let stranger = try await page.request(.get, path)
                #expect(stranger.status == 403)
            }
            #expect(bodies == [png(1), png(2)])
            for path in ["/theme/", "/theme/0", "/theme/" + String(repeating: "0", count: 32), "/theme/..%2Fpage.js"] {
                #expect(try await browser.get(path).status == 404, "\(path)")
            }
            let html = try await browser.get("/")
            #expect(html["Content-Security-Policy"] == SecurityHeaders.contentSecurityPolicy)
        }
    }

    @Test("A picture with another format or size is not shown, and the reason is kept")
    func refused() throws {
        let svg = Array("<svg xmlns=\"http://www.w3.org/2000/svg\" onload=\"x\"/>".utf8)
        let images: [String: ChatThemeImage] = [
            "attach": ChatThemeImage(.file(svg, type: "image/png")),
            "avatar": ChatThemeImage(.file(png(), type: "image/gif")),
            "close": ChatThemeImage(.file(png(size: ChatPagePictures.maximumBytes), type: "IMAGE/PNG")),
            "file": ChatThemeImage(.file(png(size: ChatPagePictures.maximumBytes + 1), type: "image/png")),
            "play": ChatThemeImage(.asset("missing")),
            "send": ChatThemeImage(system: "paperplane.fill"),
        ]
        let assets = try ChatPagePictures(["plane": png()])
        let pictures = ThemePictures(light: images, dark: [:], assets: assets)
        #expect(pictures.light.keys.sorted() == ["close"])
        #expect(pictures.dark.isEmpty)
        #expect(pictures.refusals.map(\.name) == ["attach", "avatar", "file", "play"])
        #expect(
            pictures.refusals.map(\.reason) == [
                .unknownFormat, .otherFormat("image/png"), .tooLarge(ChatPagePictures.maximumBytes + 1),
                .missing("missing"),
            ])
        let digest = try #require(pictures.light["close"])
        #expect(pictures[digest]?.bytes.count == ChatPagePictures.maximumBytes)
        // An app can use the same theme on another platform, with pictures in its bundle.
        let foreign = ["play": ChatThemeImage(.asset("x"))]
        #expect(ThemePictures(light: foreign, dark: [:], assets: ChatPagePictures()).refusals.isEmpty)
    }

    @Test("A folder's pictures have the names of its files")
    func folder() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("pictures-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        func write(_ name: String, _ bytes: [UInt8]) throws {
            try Data(bytes).write(to: folder.appendingPathComponent(name))
        }
        func error() async -> ChatPageServerError? {
            await #expect(throws: ChatPageServerError.self) { try await ChatPagePictures(folder: folder) }
        }
        try write("plane.png", png())
        try write("clip.JPEG", [0xFF, 0xD8, 0xFF, 0xE0])
        try write("notes.txt", [1])
        let pictures = try await ChatPagePictures(folder: folder)
        #expect(pictures.names == ["clip", "plane"])
        #expect(pictures["clip"]?.type == "image/jpeg")

        try write("plane.gif", Array("GIF89a".utf8))
        #expect(await error()?.reason == "Two pictures have the name \"plane\".")
        try FileManager.default.removeItem(at: folder.appendingPathComponent("plane.gif"))
        try write("markup.png", Array("<html>".utf8))
        let markup = await error()
        #expect(markup?.code == .unusablePicture)
        #expect(markup?.path?.hasSuffix("markup.png") == true)
        try FileManager.default.removeItem(at: folder.appendingPathComponent("markup.png"))
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("link.png"),
            withDestinationURL: folder.appendingPathComponent("plane.png"))
        #expect(await error()?.reason == "The picture is not a regular file.")
        try FileManager.default.removeItem(at: folder)
        #expect(await error()?.code == .unusablePicture)
    }

    @Test("The number of pictures has a limit")
    func count() throws {
        let files = Dictionary(uniqueKeysWithValues: (0...ChatPagePictures.maximumCount).map { ("\($0)", png()) })
        let error = #expect(throws: ChatPageServerError.self) { try ChatPagePictures(files) }
        #expect(error?.code == .unusablePicture)
    }
}
