import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests uploads before their messages, and downloads on request.
@Suite struct AttachmentTests {
    func file(_ id: String, name: String = "photo.PNG", size: Int64 = 10) -> OutgoingMessage.File {
        OutgoingMessage.File(
            id: TransferID(id), file: LocalFile(path: "/copies/\(id)", name: name, type: "image/png", size: size))
    }

    func uploads(_ chat: Chat) -> [UploadPlan] {
        chat.networkCommands.compactMap { if case .upload(_, let plan) = $0 { plan } else { nil } }
    }

    func ready() -> Chat {
        var chat = Chat()
        chat.authorize()
        chat.open()
        return chat
    }

    @Test func theMessageWaitsForItsFilesAndCarriesTheirIds() {
        var chat = ready()
        chat.server.silence = .upload
        chat.send("look", "a-1", files: [file("f-1"), file("f-2")])
        #expect(chat.own("a-1") == .uploading)
        #expect(uploads(chat).count == 1, "only one at a time")
        #expect(chat.server.accepted.isEmpty)
        chat.server.silence = []
        let remote = RemoteFile(reference: "file-1", size: 10)
        chat.handle(.network(.transferred(TransferID("f-1"), .success(remote))))
        #expect(chat.server.accepted == ["a-1"])
        let sent = chat.server.history.first
        #expect(sent?.attachments.map(\.result) == ["file-1", "file-f-2"])
        #expect(sent?.attachments.map(\.state) == [.ready, .ready])
        #expect(chat.stores.of("ann").contents.orderedAttachments.isEmpty)
        let discarded = chat.effects.compactMap { if case .discardFile(let file) = $0 { file.path } else { nil } }
        #expect(discarded == ["/copies/f-1", "/copies/f-2"])
    }

    @Test("an upload does not delay later messages, and the screen shows the server's order")
    func anUploadDoesNotDelayLaterMessages() {
        var chat = ready()
        chat.server.silence = .upload
        chat.send("look", "a-1", files: [file("f-1")])
        chat.send("after", "a-2")
        #expect(chat.server.accepted == ["a-2"])
        #expect(chat.own("a-1") == .uploading)
        #expect(chat.own("a-2") == .sent)
        chat.handle(.network(.transferred(TransferID("f-1"), .success(RemoteFile(reference: "r")))))
        #expect(chat.server.accepted == ["a-2", "a-1"])
        #expect(chat.screen.messages.map(\.id.text) == ["a-2", "a-1"])
    }

    @Test("ready messages are sent in the order of send")
    func readyMessagesKeepTheirOrder() {
        var chat = ready()
        chat.server.silence = [.upload, .message, .history]
        chat.send("first", "a-1", files: [file("f-1")])
        chat.send("second", "a-2", files: [file("f-2")])
        chat.send("third", "a-3")
        chat.send("fourth", "a-4")
        #expect(chat.server.accepted == ["a-3"])
        // Both uploads end while the third message has no answer yet.
        chat.handle(.network(.transferred(TransferID("f-1"), .success(RemoteFile(reference: "r-1")))))
        chat.handle(.network(.transferred(TransferID("f-2"), .success(RemoteFile(reference: "r-2")))))
        #expect(chat.server.accepted == ["a-3"], "only one message at a time")
        chat.server.silence = []
        chat.breakLink()
        #expect(chat.server.accepted == ["a-3", "a-1", "a-2", "a-4"])
    }

    @Test("the order of send survives a restart during an upload")
    func aRestartDuringAnUpload() {
        var chat = ready()
        chat.server.silence = [.upload, .upgrade]
        chat.breakLink()
        chat.send("first", "a-1", files: [file("f-1")])
        chat.send("second", "a-2")
        chat.restart()
        chat.server.silence = .upload
        chat.authorize()
        chat.open(2)
        #expect(chat.server.accepted == ["a-2"])
        chat.handle(.network(.transferred(TransferID("f-1"), .success(RemoteFile(reference: "r")))))
        #expect(chat.server.accepted == ["a-2", "a-1"])
    }

    @Test func theLimitsOfTheServerAreChecked() {
        var chat = ready()
        func refusal(_ file: OutgoingMessage.File) -> SendRefusal? {
            for case .acknowledge(_, .failure(let refusal)) in chat.send("x", "a-\(file.id.text)", files: [file]) {
                return refusal
            }
            return nil
        }
        #expect(refusal(file("1", size: 10 * 1_048_576)) == nil)
        #expect(refusal(file("2", size: 10 * 1_048_576 + 1)) == .fileTooLarge(limit: 10 * 1_048_576))
        #expect(refusal(file("3", name: "virus.exe")) == .fileTypeNotAllowed("exe"))
        #expect(refusal(file("4", name: "noextension")) == .fileTypeNotAllowed(""))
        #expect(refusal(file("1", size: 10 * 1_048_576)) == .duplicate)
        #expect(refusal(file("1")) == .identifierInUse)
    }

    @Test func theSendTimeoutStartsWithTheFrameNotWithTheUpload() {
        var chat = ready()
        chat.server.silence = [.upload, .message, .history]
        chat.send("look", "a-1", files: [file("f-1")])
        chat.advance(milliseconds: 60_000)
        #expect(chat.own("a-1") == .uploading)
        chat.handle(.network(.transferred(TransferID("f-1"), .success(RemoteFile(reference: "r")))))
        chat.advance(milliseconds: 19_999)
        #expect(chat.own("a-1") == .sending)
        chat.advance(milliseconds: 1)
        #expect(chat.own("a-1") == .failed(.timedOut))
    }

    @Test func aFailedUploadFailsItsMessageOnly() {
        var chat = ready()
        chat.server.silence = .upload
        chat.send("look", "a-1", files: [file("f-1")])
        chat.send("after", "a-2")
        let failure = TransportFailure(
            .refused, status: 413, refusal: ServerRefusal(code: "file.restricted.size"))
        chat.handle(.network(.transferred(TransferID("f-1"), .failure(failure))))
        #expect(chat.own("a-1") == .failed(.upload(failure)))
        #expect(chat.notices.contains(.networkProblem(.call(.upload, failure))))
        #expect(chat.server.accepted == ["a-2"])
        chat.server.silence = []
        chat.handle(.resend(MessageID("a-1")))
        #expect(chat.server.accepted == ["a-2", "a-1"])
    }

    @Test func anInterruptedUploadResumes() {
        var chat = ready()
        chat.server.silence = .upload
        chat.send("look", "a-1", files: [file("f-1")])
        chat.handle(.network(.progress(TransferID("f-1"), 5, of: 10)))
        chat.handle(.network(.checkpoint(TransferID("f-1"), UploadCheckpoint("half"))))
        #expect(chat.notices.contains(.transferProgress(TransferID("f-1"), 5, of: 10)))
        chat.restart()
        chat.server.silence = []
        chat.forgetEffects()
        chat.authorize()
        #expect(uploads(chat).map(\.resume) == [UploadCheckpoint("half")])
        chat.open()
        #expect(chat.server.accepted == ["a-1"])
    }

    @Test func cancellingAnUploadFailsItsMessage() {
        var chat = ready()
        chat.server.silence = .upload
        chat.send("look", "a-1", files: [file("f-1")])
        chat.handle(.cancelTransfer(TransferID("f-1")))
        #expect(chat.own("a-1") == .failed(.upload(TransportFailure(.cancelled))))
        #expect(chat.networkCommands.contains(.cancel(.transfer(TransferID("f-1")))))
        chat.handle(.discard(MessageID("a-1")))
        #expect(chat.stores.of("ann").contents.orderedAttachments.isEmpty)
        #expect(chat.stores.of("ann").contents.orderedMessages.isEmpty)
    }

    @Test func aFileIsDownloaded() {
        var chat = ready()
        chat.handle(.download(TransferID("d-1"), reference: "file-9"))
        #expect(
            chat.notices.contains(
                .transferred(TransferID("d-1"), .success(RemoteFile(reference: "/tmp/file-9")))))
    }

    /// A result that arrives after the cancellation of its transfer is ignored.
    @Test func aTransferEndsOnce() {
        var chat = ready()
        chat.server.silence = .upload
        chat.isLive = false
        chat.handle(.download(TransferID("d-1"), reference: "file-9"))
        chat.handle(.cancelTransfer(TransferID("d-1")))
        chat.handle(.network(.transferred(TransferID("d-1"), .success(RemoteFile(reference: "/tmp/file-9")))))
        let end = SDKNotice.transferred(TransferID("d-1"), .failure(TransportFailure(.cancelled)))
        #expect(chat.notices.filter { if case .transferred = $0 { true } else { false } } == [end])
        chat.send("look", "a-1", files: [file("f-1")])
        chat.handle(.discard(MessageID("a-1")))
        chat.forgetEffects()
        chat.handle(.network(.transferred(TransferID("f-1"), .failure(TransportFailure(.unreachable)))))
        #expect(chat.notices.isEmpty, "an upload of a discarded message has no notice")
    }

    @Test func logoutDeletesAllFiles() {
        var chat = ready()
        chat.server.silence = .upload
        chat.send("look", "a-1", files: [file("f-1")])
        chat.forgetEffects()
        chat.handle(.logout(Ticket(1)))
        #expect(chat.networkCommands.contains(.cancel(.transfer(TransferID("f-1")))))
        #expect(chat.effects.contains(.discardFile(file("f-1").file)))
    }

    /// Until the store has recorded the upload, the next process would upload the file again.
    @Test func aFileIsKeptUntilTheStoreNoLongerNeedsIt() {
        var chat = Chat()
        chat.authorize()
        chat.open()
        chat.server.silence = .upload
        let file = LocalFile(path: "/f", name: "f.png", type: "image/png", size: 1)
        chat.send("Hi", "a-1", files: [OutgoingMessage.File(id: TransferID("f"), file: file)])
        chat.stores.of("ann").failuresToCome = 1
        chat.handle(.network(.transferred(TransferID("f"), .success(RemoteFile(reference: "r")))))
        #expect(!chat.effects.contains(.discardFile(file)))
        chat.advance(milliseconds: 5000)
        #expect(chat.stores.of("ann").contents.orderedAttachments.isEmpty)
        #expect(chat.effects.contains(.discardFile(file)))
        #expect(chat.server.accepted == ["a-1"])
    }

    /// The process ends between any two effects of a discard. The message then has either all of its files, or nothing
    /// is left.
    @Test func aDiscardIsCompleteOrHasNoEffect() {
        for budget in 0..<8 {
            var chat = Chat()
            chat.authorize()
            chat.server.silence = .upload
            chat.send("Hi", "a-1", files: [file("f-1"), file("f-2")])
            chat.budget = budget
            chat.handle(.discard(MessageID("a-1")))
            let contents = chat.stores.of("ann").contents
            #expect(contents.orderedAttachments.count == 2 * contents.orderedMessages.count, "after effect \(budget)")
        }
    }
}
