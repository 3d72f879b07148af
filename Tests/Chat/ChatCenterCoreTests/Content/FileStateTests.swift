import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests files on the screen, and messages that change later.
@Suite struct FileStateTests {
    func chat() -> Chat {
        var chat = Chat()
        chat.authorize()
        chat.open()
        return chat
    }

    func received(_ chat: inout Chat, _ attachments: ChatWire.Attachment...) {
        var content = chat.server.says("file", uuid: "o-1")
        content.attachments = attachments
        chat.push(content)
    }

    func update(_ chat: inout Chat, _ attachments: ChatWire.Attachment...) {
        chat.push(Content(.attachmentUpdated, uuid: "o-1", attachments: attachments))
    }

    func states(_ chat: Chat) -> [ChatScreenMessage.File.State] { chat.message("o-1")?.files.map(\.state) ?? [] }

    @Test func everyProtocolStateHasARowState() {
        var chat = chat()
        received(
            &chat, ChatWire.Attachment(id: "1", state: .pending),
            ChatWire.Attachment(id: "2", result: "r", state: .ready),
            ChatWire.Attachment(id: "3", state: .error, errorCode: "virus", errorMessage: "It is infected"),
            ChatWire.Attachment(id: "4", state: .expired), ChatWire.Attachment(id: "5", url: "https://x/f"))
        #expect(
            states(chat) == [
                .pending, .ready, .failed(code: "virus", message: "It is infected"), .expired, .ready,
            ])
        #expect(chat.message("o-1")?.files[2].error == "It is infected")
    }

    @Test func aFileOfAnAudioTypeIsAVoiceMessage() {
        var chat = chat()
        received(
            &chat, ChatWire.Attachment(id: "1", type: "audio/ogg", duration: 2400),
            ChatWire.Attachment(id: "2", type: "AUDIO"),
            ChatWire.Attachment(id: "3", type: "image/png", duration: 5),
            ChatWire.Attachment(id: "4", type: "audio/3gpp", duration: -1), ChatWire.Attachment(id: "5"))
        let voices = chat.message("o-1")?.files.map(\.voice)
        #expect(voices?.map { $0?.durationMilliseconds } == [2400, nil, nil, nil, nil])
        #expect(voices?.map { $0 == nil } == [false, false, true, false, true])
        update(&chat, ChatWire.Attachment(id: "1", result: "f-1", state: .ready))
        #expect(chat.message("o-1")?.files.first?.voice?.durationMilliseconds == 2400)
    }

    @Test func theDurationOfAnOwnVoiceMessageIsSentAndShown() {
        var chat = Chat()
        chat.server.configuration = ConfigurationAnswer(
            settings: CommunicationSettings(),
            attachmentSettings: AttachmentSettings(maxSize: 10, fileExtensions: ["ogg"]))
        chat.authorize()
        chat.open()
        let file = OutgoingMessage.File(
            id: TransferID("f"), file: LocalFile(path: "p", name: "voice.ogg", type: "audio/ogg", size: 9),
            durationMilliseconds: 3200)
        chat.handle(.send(Ticket(90), MessageID("a-1"), OutgoingMessage(text: nil, files: [file])))
        #expect(chat.message("a-1")?.files.first?.voice?.durationMilliseconds == 3200)
        #expect(chat.frames { $0.uuid == "a-1" }.first?.attachments.first?.duration == 3200)
    }

    @Test func anUpdateChangesOnlyTheNamedFile() {
        var chat = chat()
        received(
            &chat, ChatWire.Attachment(id: "1", name: "a.pdf", size: 9, state: .pending),
            ChatWire.Attachment(id: "2", result: "r", name: "b.pdf", state: .ready))
        update(&chat, ChatWire.Attachment(id: "1", result: "f-1", state: .ready))
        #expect(states(chat) == [.ready, .ready])
        #expect(chat.message("o-1")?.files.first?.name == "a.pdf")
        #expect(chat.message("o-1")?.files.first?.reference == "f-1")
        update(&chat, ChatWire.Attachment(id: "1", state: .pending))
        #expect(states(chat) == [.ready, .ready], "a late pending state is ignored")
        update(&chat, ChatWire.Attachment(id: "2", state: .expired))
        update(&chat, ChatWire.Attachment(id: "9", state: .error, errorCode: "E"))
        #expect(states(chat) == [.ready, .expired, .failed(code: "E", message: nil)])
        // The store contains the attachment, without the server's state.
        chat.restart()
        chat.server.silence = .history
        chat.authorize()
        #expect(states(chat) == [.ready, .expired, .failed(code: "E", message: nil)])
    }

    @Test func progressIsShownAndNotStored() throws {
        var chat = chat()
        chat.server.silence = .upload
        let file = OutgoingMessage.File(
            id: TransferID("f-1"), file: LocalFile(path: "/p", name: "a.png", type: "image/png", size: 1000))
        chat.send("", "a-1", files: [file])
        func state() -> ChatScreenMessage.File.State? { chat.message("a-1")?.files.first?.state }
        #expect(state() == .pending)
        chat.forgetEffects()
        func published() -> Int { chat.effects.count { if case .publish = $0 { true } else { false } } }
        for bytes in stride(from: Int64(0), through: 500, by: 1) {
            chat.handle(.network(.progress(TransferID("f-1"), bytes, of: 1000)))
        }
        #expect(state() == .uploading(500, of: 1000))
        #expect(published() <= 51, "not published for each byte")
        #expect(
            !chat.effects.contains { if case .commit = $0 { true } else { false } },
            "progress is published, never stored"
        )
        chat.handle(.network(.transferred(TransferID("f-1"), .failure(TransportFailure(.unreachable, errorID: 7)))))
        #expect(state() == .pending, "it waits for a retry")
    }

    @Test func aDeletedMessageStaysDeleted() {
        var chat = chat()
        received(&chat, ChatWire.Attachment(id: "1", state: .ready))
        chat.push(Content(.messageDeleted, uuid: "o-1"))
        chat.push(Content(.messageEdited, uuid: "o-1", text: "back"))
        update(&chat, ChatWire.Attachment(id: "1", state: .ready))
        // A history answer that was sent before the deletion.
        chat.breakLink()
        #expect(chat.message("o-1")?.kind == .deleted)
        #expect(chat.message("o-1")?.text == nil)
        #expect(chat.message("o-1")?.files.isEmpty == true)
        chat.restart()
        chat.authorize()
        #expect(chat.message("o-1")?.kind == .deleted)
    }

    @Test func deletingAnUnknownItemLeavesNothing() throws {
        var chat = chat()
        chat.push(
            Content(try JSONValue(parsing: #"{"type":"POEM","uuid":"p","text":"secret verse","lines":["secret"]}"#)))
        chat.push(Content(.messageDeleted, uuid: "p"))
        let stored = chat.stores.of("ann").contents.orderedMessages.first { $0.id == MessageID("p") }
        #expect(stored?.record.text.contains("secret") == false)
        chat.restart()
        chat.authorize()
        #expect(chat.message("p")?.kind == .deleted)
    }

    @Test func anOlderResponseDoesNotUndoAnEdit() {
        var chat = chat()
        chat.push(chat.server.says("first", uuid: "o-1"))
        chat.push(Content(.messageEdited, uuid: "o-1", text: "second"))
        chat.breakLink()
        #expect(chat.message("o-1")?.text == "second")
        #expect(chat.message("o-1")?.isEdited == true)
        chat.server.history[0].text = "third"
        chat.server.history[0].modified = .edited
        chat.push(chat.server.history[0])
        #expect(chat.message("o-1")?.text == "third")
    }
}
