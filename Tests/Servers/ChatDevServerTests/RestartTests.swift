import ChatDevServer
import ChatWire
import HoldfastTransport
import Testing

@Suite("Restart", .timeLimit(.minutes(1)))
struct RestartTests {
    @Test("Two runs on the same data: history, names, statuses, devices and files are the same")
    func twoRuns() async throws {
        let directory = try TemporaryDirectory()
        func configure(_ configuration: inout ChatDevServerConfiguration) {
            configuration.databasePath = directory.file("chat.sqlite")
            configuration.filesDirectory = directory.file("files")
        }

        let (first, device, receipt, fileID) = try await ServerUnderTest.with(configure) { subject in
            let upload = try UploadAnswer(parsing: try await subject.upload([1, 2, 3], name: "a.png").body)
            let socket = try await subject.join()
            let receipt = try await socket.say(
                "Look", uuid: "u1", attachments: [Attachment(result: upload.result, name: "a.png", size: 3)])
            let answer = try await socket.message("Thank you, I have received a.png (3 bytes).")
            let messageID = try #require(answer.messageID)
            try await socket.ask(
                .updateStatuses([StatusChange(messageID: messageID, status: .read)], deviceAddress: nil))
            return (try await subject.history(), socket.deviceAddress, receipt, upload.result)
        }
        #expect(first.messages.count == 4)

        try await ServerUnderTest.with(configure) { subject in
            #expect(try await subject.history() == first)
            #expect(try UnreadAnswer(parsing: try await subject.get("/api/client/history/unread").body).count == 0)
            #expect(try await subject.get("/files/\(fileID)").body == [1, 2, 3])

            let socket = try await subject.join(deviceAddress: device)
            #expect(socket.deviceAddress == device)
            #expect(try await socket.say("Look", uuid: "u1") == receipt)
            try await socket.say("And again", uuid: "u2")
            _ = try await socket.message("You wrote: And again")
            let later = try await subject.history()
            #expect(Array(later.messages.prefix(first.messages.count)) == first.messages)
            #expect(later.messages.count == first.messages.count + 2)
        }
    }

    @Test("Without a path nothing is stored")
    func memory() async throws {
        try await ServerUnderTest.with { subject in
            let socket = try await subject.join()
            try await socket.say("Hello", uuid: "u1")
        }
        try await ServerUnderTest.with { subject in
            let messages = try await subject.history().messages
            #expect(messages.isEmpty)
        }
    }
}
