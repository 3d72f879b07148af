import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// Push notifications: their payload, the fetch after a silent one, and the lines of a notification extension.
@Suite struct PushTests {
    private func notification(_ json: String) throws -> ChatNotification? {
        ChatNotification(payload: try #require(try JSONValue(parsing: json).objectValue))
    }

    @Test("campaign, chatMessageId, senderName and the text are read from the payload")
    func payload() throws {
        let ordinary = try #require(
            try notification(
                #"{"origin":"threads","chatMessageId":"m-1","senderName":" Ann ","aps":{"alert":{"title":"Bank","#
                    + #""body":"Hello"},"badge":3,"mutable-content":1}}"#))
        #expect(ordinary.chatMessageId == "m-1" && ordinary.senderName == "Ann" && ordinary.campaign == nil)
        #expect(ordinary.title == "Bank" && ordinary.text == "Hello" && ordinary.badge == 3 && !ordinary.isSilent)
        let mailing = try notification(#"{"origin":"threads","campaign":{"id":7,"name":"Sale"},"messageId":9}"#)
        #expect(mailing?.campaign?.name == "7" && mailing?.chatMessageId == "9")
        #expect(try notification(#"{"origin":"threads","campaign":"sale"}"#)?.campaign?.name == "sale")
        let older = try notification(#"{"origin":"threads","massPushMessage":"true","uuid":"u"}"#)
        #expect(older?.campaign?.name == nil && older?.campaign != nil && older?.chatMessageId == "u")
    }

    @Test(
        "a silent notification has content-available and no alert",
        arguments: [
            (#"{"content-available":1}"#, true), (#"{"content-available":"1"}"#, true),
            (#"{"content-available":0}"#, false),
            (#"{"content-available":1,"alert":"x"}"#, false), (#"{"alert":{"body":"x"}}"#, false), ("{}", false),
            ("[]", false), ("7", false),
        ])
    func silent(aps: String, isSilent: Bool) throws {
        #expect(try notification(#"{"origin":"threads","aps":\#(aps)}"#)?.isSilent == isSilent)
    }

    @Test("notifications of others are not read, and unusable fields are left out")
    func hostile() throws {
        #expect(try notification(#"{"origin":"other","chatMessageId":"m"}"#) == nil)
        #expect(try notification("{}") == nil)
        let long = String(repeating: "x", count: 100_000)
        let odd = try #require(
            try notification(
                #"{"origin":"threads","chatMessageId":"\#(long)","uuid":{},"messageId":"","senderName":[1],"#
                    + #""text":"\#(long)","campaign":"\#(long)","aps":{"badge":-4,"alert":{"title":"  "}}}"#))
        #expect(odd.chatMessageId == nil && odd.senderName == nil && odd.campaign == nil && odd.title == nil)
        #expect(odd.text?.count == ChatNotification.maximumTextLength && odd.badge == 0)
        let userInfo: [AnyHashable: Any] = ["origin": "threads", "senderName": "Ann", 5: Date(), "x": NSObject()]
        #expect(ChatNotification(userInfo: userInfo)?.senderName == "Ann")
        #expect(ChatNotification(userInfo: ["origin": 5]) == nil)
    }

    @Test("the lines of a notification extension: sender and text, then the title, then built-in texts")
    func lines() throws {
        let folder = try TemporaryFolder()
        let file = folder.url.appendingPathComponent("x.json")
        try Data(#"{"push.new_message":"Neue Nachricht","chat.title.opened":"Hilfe"}"#.utf8).write(to: file)
        let texts = try ChatLocalizationConfig(file: file, locale: Locale(identifier: "de"))
        func content(_ json: String) throws -> ChatNotificationContent? {
            try notification(json)?.content(localization: texts)
        }
        let full = try content(#"{"origin":"threads","senderName":"Ann","text":"Hi","aps":{"alert":{"title":"Bank"}}}"#)
        #expect(full?.title == "Ann" && full?.body == "Hi" && full?.threadIdentifier == "chat" && full?.badge == nil)
        #expect(try content(#"{"origin":"threads","aps":{"alert":{"title":"Bank"}}}"#)?.title == "Bank")
        let empty = try content(#"{"origin":"threads"}"#)
        #expect(empty?.title == "Hilfe" && empty?.body == "Neue Nachricht")
    }

    @Test("a silent push in the background fetches messages without a socket")
    func fetch() async throws {
        let folder = try TemporaryFolder()
        let chat = TestChat(in: folder)
        let silent = try #require(try notification(#"{"origin":"threads","aps":{"content-available":1}}"#))
        guard case .failed(let error) = await chat.sdk.fetch(for: silent) else {
            Issue.record("no user is authorized")
            return
        }
        #expect(error as? ChatCenterUIError == .userNotAuthorized)
        _ = try chat.open()
        chat.sdk.applicationDidEnterBackground()
        chat.settle()
        let sockets = chat.network.socketCredentials.count
        chat.network.script.history = [
            Content(.message, uuid: "o-1", operator: Operator(id: "1"), text: "Hello", receivedDate: 1_700_000_000_000)
        ]
        let result = await chat.sdk.fetch(for: silent)
        guard case .newMessages(1) = result else {
            Issue.record("unexpected result: \(result)")
            return
        }
        chat.settle()
        #expect(chat.network.socketCredentials.count == sockets)
        #expect(try chat.sdk.getChat().state.messages.map(\.text) == ["Hello"])
        chat.network.script.refusesTokens = true
        guard case .failed = await chat.sdk.fetch(for: silent) else {
            Issue.record("the token was refused")
            return
        }
    }

    @Test("a notification with a campaign and a chatMessageId is quoted above the input field")
    func campaign() throws {
        let folder = try TemporaryFolder()
        let chat = TestChat(in: folder)
        _ = try chat.open()
        let screen = try chat.sdk.getChat(userInfo: [
            "origin": "threads", "campaign": "sale", "chatMessageId": "m-7",
            "aps": ["alert": ["body": "Ten percent off"]],
        ])
        chat.settle()
        #expect(screen.state.input.quote?.text == "Ten percent off" && screen.state.input.quote?.isCampaign == true)
    }
}
