import ChatCenterCore
import ChatCenterCoreTestSupport
import ChatWire
import Testing

/// Tests how the screen shows the dialog: title, system lines and pushed settings.
@Suite struct DialogTests {
    func chat(_ settings: ChatSettings = ChatSettings(providerUID: "p")) -> Chat {
        var chat = Chat(settings)
        chat.authorize()
        chat.open()
        return chat
    }

    let eva = Operator(id: "1", name: "Eva K.", alias: "Eva", gender: .female, role: .operator)

    @Test func everyDocumentedTitle() throws {
        var chat = chat()
        #expect(chat.screen.title == .opened)
        chat.push(Content(.threadEnqueued, uuid: "1"))
        #expect(chat.screen.title == .waiting)
        chat.push(Content(.averageWaitTime, uuid: "2", text: "5 min"))
        #expect(chat.screen.averageWait == "5 min")
        chat.push(Content(.operatorLookupStarted, uuid: "3"))
        #expect(chat.screen.title == .waitingForSpecialist)
        chat.push(Content(.operatorJoined, uuid: "4", operator: eva))
        guard case .working(let other) = chat.screen.title else {
            Issue.record("\(chat.screen.title)")
            return
        }
        #expect(other.gender == .female && other.role == .operator && other.name == "Eva")
        #expect(chat.screen.averageWait == nil)
        chat.push(Content(.typing(draft: nil, operatorName: "Eva"), operator: eva))
        #expect(chat.screen.title == .typing("Eva"))
        chat.push(Content(.threadWillBeReassigned, uuid: "5"))
        chat.advance(milliseconds: 10_000)
        #expect(chat.screen.title == .waitingForSpecialist)
        chat.push(Content(.threadInProgress, uuid: "6"))
        #expect(chat.screen.title == .opened)
        chat.isLive = false
        chat.breakLink()
        #expect(chat.screen.title == .connecting)
    }

    @Test func everyTypeOnTheScreenIsATypedRow() {
        var chat = chat()
        let bodies: [(ContentBody, ChatNotice)] = [
            (.operatorJoined, .operatorJoined(nil)), (.operatorLeft, .operatorLeft(nil)),
            (.operatorLookupStarted, .lookingForOperator), (.threadOpened, .threadOpened),
            (.threadInProgress, .threadInProgress), (.threadClosed, .threadClosed), (.threadEnqueued, .threadEnqueued),
            (.threadWillBeReassigned, .threadWillBeReassigned), (.averageWaitTime, .averageWaitTime),
            (.partingAfterSurvey, .partingAfterSurvey), (.clientBlocked, .clientBlocked),
            (.clientUnblocked, .clientUnblocked), (.clientPersonalDataProcessing, .personalDataProcessing),
        ]
        for (index, (body, notice)) in bodies.enumerated() {
            chat.push(Content(body, uuid: "n-\(index)", text: "text \(index)"))
            let row = chat.message("n-\(index)")
            #expect(row?.notice == notice)
            #expect(row?.kind == .notice)
            #expect(row?.text == "text \(index)")
            #expect(row?.author == .system)
        }
        #expect(chat.screen.messages.count == bodies.count)
        chat.push(Content(.threadOpened, uuid: "h", text: "hidden", display: false))
        #expect(chat.message("h") == nil, "the server hides it")
    }

    @Test func unknownContentIsKeptShownAndReported() throws {
        var chat = chat()
        let raw = try JSONValue(
            parsing: #"{"type":"HOLOGRAM","uuid":"h","beam":[1,null],"receivedDate":"2025-03-06T16:12:51.438Z"}"#)
        let half = Content(
            try JSONValue(parsing: #"{"type":"MESSAGE","uuid":"m","text":"Hi","read":[],"attachments":[7]}"#))
        chat.push(Content(raw), half)
        #expect(chat.message("h")?.kind == .unsupported("HOLOGRAM"))
        #expect(chat.message("m")?.text == "Hi")
        let lines = chat.effects.compactMap {
            if case .log(let record) = $0, record.category == .error { record.message } else { nil }
        }
        #expect(lines.contains { $0.contains("HOLOGRAM") })
        #expect(lines.contains { $0.contains("attachments[0]") } && lines.contains { $0.contains("read") })
        chat.restart()
        chat.authorize()
        let stored = chat.stores.of("ann").contents.orderedMessages
        #expect(stored.first { $0.id == MessageID("h") }?.content.json == raw)
        #expect(stored.first { $0.id == MessageID("m") }?.content.json == half.json)
    }

    @Test func pushedSettingsApplyAtOnce() {
        var chat = chat()
        #expect(chat.screen.input.showsAttachButton)
        #expect(!chat.screen.input.showsVoiceButton)
        chat.push(
            Content(
                .settingsUpdated(
                    ConfigurationUpdate(
                        settings: CommunicationSettings(typingMessagesIntervalSeconds: 10),
                        channelConfig: ChannelOverrides(voiceRecordingEnabled: true, showAttachButton: false)))))
        #expect(!chat.screen.input.showsAttachButton)
        #expect(chat.screen.input.showsVoiceButton)
        #expect(chat.core.configuration.typingInterval == EffectiveSetting(10_000, .server))
        chat.push(Content(.attachmentSettings(AttachmentSettings(maxSize: 1, fileExtensions: ["gif"]))))
        let file = OutgoingMessage.File(
            id: TransferID("f"), file: LocalFile(path: "/p", name: "a.png", type: "image/png", size: 1))
        chat.handle(.send(Ticket(9), MessageID("a-1"), OutgoingMessage(text: nil, files: [file])))
        #expect(chat.effects.contains(.acknowledge(Ticket(9), .failure(.fileTypeNotAllowed("png")))))
        chat.restart()
        chat.server.configurationStatus = 500
        chat.authorize()
        #expect(chat.screen.input.showsVoiceButton, "other settings are unchanged")
    }

    @Test func settingsPushedWhileOfflineAreRequested() {
        var chat = chat()
        chat.close()
        chat.server.history.append(
            Content(.settingsUpdated(ConfigurationUpdate()), uuid: "su", receivedDate: chat.server.clock + 1))
        chat.server.configuration.channelConfig = ChannelOverrides(showAttachButton: false)
        chat.open(2)
        #expect(!chat.screen.input.showsAttachButton)
    }

    @Test func anEmptyUpdateCausesARequest() throws {
        var chat = chat()
        chat.server.configuration.channelConfig = ChannelOverrides(showAttachButton: false)
        chat.push(Content(try JSONValue(parsing: #"{"type":"SETTINGS_UPDATED","uuid":"su"}"#)))
        #expect(!chat.screen.input.showsAttachButton)
    }

    @Test func theLastResponseDecidesWhetherTheClientMayWrite() {
        var chat = chat()
        chat.isLive = false
        chat.handle(.reload)
        while let command = chat.takeCommand() {
            if case .call(let id, _) = command {
                chat.handle(
                    .network(
                        .answered(
                            id,
                            .success(
                                .history(
                                    HistoryAnswer(
                                        messages: [], agentInfo: ["name": "Eva"], allowedToSendMessages: false))))))
            }
        }
        #expect(chat.screen.input.blocked == .notAllowed)
    }

    @Test func theHistoryProvidesTheAgentOfAnActiveDialog() {
        var chat = Chat()
        chat.server.history = [Content(.threadOpened, uuid: "t", receivedDate: 5)]
        chat.isLive = false
        chat.authorize()
        while let command = chat.takeCommand() {
            guard case .call(let id, let call) = command, case .history = call.request else { continue }
            let answer = HistoryAnswer(
                messages: chat.server.history, agentInfo: ["id": "7", "alias": "Eva", "role": "OPERATOR"])
            chat.handle(.network(.answered(id, .success(.history(answer)))))
        }
        chat.handle(.screenAppeared(ScreenID(9)))
        guard case .working(let other) = chat.screen.title else {
            Issue.record("\(chat.screen.title)")
            return
        }
        #expect(other.name == "Eva")
    }

    // MARK: Voice messages and link previews

    @Test func voiceAndLinkPreviewsDriveTheState() {
        var local = ChatLocalSettings.standard
        for isOn in [false, true] {
            local.voiceRecordingEnabled = isOn
            local.linkPreviewEnabled = isOn
            var chat = chat(ChatSettings(providerUID: "p", local: local))
            var content = chat.server.says("See (https://example.com/a?b=1), ok", uuid: "o-1")
            content.speechStatus = "PROCESSING"
            chat.push(content)
            #expect(chat.screen.input.showsVoiceButton == isOn)
            #expect(chat.screen.showsLinkPreviews == isOn)
            chat.push(
                chat.server.says("https://example.com/a?b=1, and https://x.de", uuid: "o-2"),
                chat.server.says("http:// x", uuid: "o-3"))
            #expect(chat.message("o-2")?.previewLink == (isOn ? "https://example.com/a?b=1" : nil))
            #expect(chat.message("o-3")?.previewLink == nil)
            var update = Content(.speechMessageUpdated, uuid: "o-1")
            update.speechStatus = "SUCCESS"
            update.speechText = "hello"
            chat.push(update)
            #expect(chat.message("o-1")?.speech?.status == "SUCCESS")
            #expect(chat.message("o-1")?.speech?.text == "hello")
        }
    }
}
