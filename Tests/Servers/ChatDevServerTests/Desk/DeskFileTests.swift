import ChatWire
import HTTPTypes
import HoldfastTransport
import NIOCore
import Testing

@testable import ChatDevServer

@Suite("Files of replies", .timeLimit(.minutes(1)))
struct DeskFileTests {
    private static let json: HTTPFields = [.accept: "application/json"]

    private typealias File = (name: String, type: String, bytes: [UInt8])

    private static func file(_ name: String = "a.txt", _ count: Int = 60) -> File {
        (name, "text/plain", [UInt8](repeating: 7, count: count))
    }

    @Test("A refused reply leaves no files behind, and uses no space")
    func refused() async throws {
        let directory = try TemporaryDirectory()
        try await DeskClient.serving({
            $0.filesDirectory = directory.path
            $0.limits.storedBytes = 100
            $0.configurationPatch = #"{"attachmentSettings":{"content":{"content":{"fileExtensions":["txt"]}}}}"#
        }) { subject in
            let ada = try await DeskClient(subject)
            let socket = try await subject.join("alice")
            try await socket.say("Hello", uuid: "u1")
            let long = String(repeating: "x", count: 4_001)
            let refusals: [(text: String, files: [File], status: Int)] = [
                // By the core, when all files are stored.
                (long, [Self.file()], 422),
                // By the second file's type.
                ("A", [Self.file(), Self.file("a.exe")], 415),
                // By the second file's size.
                ("B", [Self.file(), Self.file("b.txt", 50)], 507),
            ]
            for (text, files, status) in refusals {
                for headers in [Self.json, [:]] {
                    let answer = try await ada.reply(text, id: "r1", files: files, headers: headers)
                    #expect(answer.status == status)
                    #expect(directory.contents.isEmpty, "\(status)")
                }
            }
            // All of the space is free again.
            #expect(try await ada.reply("C", id: "r1", files: [Self.file("c.txt", 100)]).status == 303)
            let file = try #require(try await socket.message("C").content.attachments.first?.result)
            #expect(directory.contents == [file])
        }
    }

    @Test("A reply that is sent again stores no second file, and keeps the first one")
    func repeated() async throws {
        let directory = try TemporaryDirectory()
        try await DeskClient.serving({
            $0.filesDirectory = directory.path
        }) { subject in
            let ada = try await DeskClient(subject)
            let socket = try await subject.join("alice")
            for _ in 0..<2 {
                #expect(try await ada.reply("Look", id: "r1", files: [Self.file()]).status == 303)
            }
            let file = try #require(try await socket.message("Look").content.attachments.first?.result)
            #expect(directory.contents == [file])
            #expect(try await subject.get("/files/\(file)").body == Self.file().bytes)
        }
    }

    @Test("Files whose reply was not sent before a crash are removed at the next start; all others are kept")
    func crash() async throws {
        let directory = try TemporaryDirectory()
        let (database, files) = (directory.file("chat.sqlite"), directory.file("files"))
        func configure(_ configuration: inout ChatDevServerConfiguration) {
            configuration.databasePath = database
            configuration.filesDirectory = files
            configuration.limits.storedBytes = 200
        }
        let (sent, uploaded) = try await DeskClient.serving(configure) { subject in
            let ada = try await DeskClient(subject)
            let socket = try await subject.join("alice")
            _ = try await ada.reply("Look", id: "r1", files: [Self.file()])
            let sent = try #require(try await socket.message("Look").content.attachments.first?.result)
            // A client's upload is not part of a reply. The client may send its message later.
            let uploaded = try UploadAnswer(parsing: try await subject.upload([1, 2, 3], name: "a.png").body).result
            return (sent, uploaded)
        }

        // The process ends when a file is stored and before its reply is sent, and while another one is stored.
        let store = try ChatServerStore(path: database)
        let library = try await FileLibrary.open(directory: files, store: store, entropy: .system, limit: 200)
        var chunk: ByteBuffer? = ByteBuffer(repeating: 7, count: 60)
        let unsent = try await library.add(name: "a.txt", type: "text/plain", isUnsent: true) {
            defer { chunk = nil }
            return chunk
        }
        let unfinished = library.newIdentifier()
        try store.markUnsent(unfinished)
        _ = try directory.write([1], to: "files/" + unfinished)
        // A file without a mark may belong to another program.
        let foreign = String(repeating: "0", count: 32)
        _ = try directory.write([1], to: "files/" + foreign)
        #expect(try store.storedBytes() == 123)
        store.close()

        try await DeskClient.serving(configure) { subject in
            let removed = try await subject.get("/files/\(unsent.fileID)")
            #expect(removed.status == 404)
            #expect(try await subject.get("/files/\(sent)").body == Self.file().bytes)
            #expect(try await subject.get("/files/\(uploaded)").body == [1, 2, 3])
        }
        #expect(try TemporaryDirectory.names(in: files) == [sent, uploaded, foreign].sorted())
        let reopened = try ChatServerStore(path: database)
        #expect(try reopened.storedBytes() == 63)
        let removed = try reopened.removeUnsent(nil).fileIDs
        #expect(removed.isEmpty)
        reopened.close()
    }

    @Test("Files of a cancelled reply are removed")
    func cancelled() async throws {
        let directory = try TemporaryDirectory()
        let store = try ChatServerStore(path: nil)
        let library = try await FileLibrary.open(directory: directory.path, store: store, entropy: .system, limit: 100)
        var chunk: ByteBuffer? = ByteBuffer(repeating: 7, count: 60)
        let record = try await library.add(name: "a.txt", type: "text/plain", isUnsent: true) {
            defer { chunk = nil }
            return chunk
        }
        #expect(directory.contents == [record.fileID])
        await withTaskGroup(of: Void.self) { group in
            group.cancelAll()
            group.addTask { await library.discardUnsent([record.fileID]) }
        }
        #expect(directory.contents.isEmpty)
        try library.space.take(100)
        store.close()
    }
}
