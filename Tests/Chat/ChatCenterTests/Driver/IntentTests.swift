import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// The user's actions on the screen other than sending, with the driver and the store.
@Suite struct IntentTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("a mass mailing is quoted above the input field, and the next message refers to it")
    func campaign() throws {
        let chat = TestChat(in: folder)
        _ = try chat.open()
        let mailing: [AnyHashable: Any] = [
            "origin": "threads", "massPushMessage": true, "uuid": "mailing-7", "text": "Ten percent off",
            "other": ["deep": [1, 2]], 5: "no text is this key",
        ]
        let screen = try chat.sdk.getChat(userInfo: mailing)
        screen.viewDidAppear()
        chat.settle()
        #expect(screen.state.input.quote?.text == "Ten percent off")
        #expect(screen.state.input.quote?.isCampaign == true)
        try screen.send("tell me more")
        chat.settle()
        let sent = try #require(chat.network.sent.last { $0.text == "tell me more" })
        #expect(sent.quotes.first?.uuid == "mailing-7")
        #expect(screen.state.input.quote == nil, "only one message refers to it")
        // An ordinary notification only opens the chat, regardless of its contents.
        for userInfo in [["origin": "threads"], [:], ["massPushMessage": "perhaps"]] as [[AnyHashable: Any]] {
            let other = try chat.sdk.getChat(userInfo: userInfo)
            #expect(other.state.input.quote == nil)
        }
    }

    @Test("without the server the search uses this device's messages", arguments: [false, true])
    func offlineSearch(isSealed: Bool) throws {
        var script = ScriptedNetwork.Script()
        script.search = .failure(TransportFailure(.noConnectivity))
        script.history = (1...3).map {
            Content(
                .message, uuid: "h\($0)", operator: Operator(id: "1"), text: "Zürich branch \($0)",
                receivedDate: Int64($0))
        }
        let chat = TestChat(
            in: folder, script: script, configure: { $0.storageKey = isSealed ? .random() : nil })
        let screen = try chat.open()
        screen.search("zur 2")
        chat.advance(by: .seconds(5))
        let search = try #require(screen.state.search)
        #expect(search.isLocal)
        #expect(search.results.map(\.text) == ["Zürich branch 2"])
        #expect(search.failure?.kind == .noConnectivity)
        screen.search("")
        chat.settle()
        #expect(screen.state.search == nil)
    }

    @Test("every action is logged at .userInterface, without the user's text")
    func lines() throws {
        let chat = TestChat(in: folder, logLevel: .userInterface)
        let screen = try chat.open()
        screen.quote(nil)
        screen.rate(MessageID("s"), question: 1, rate: 5)
        screen.comment(MessageID("s"), "s3cret")
        screen.submit(MessageID("s"))
        screen.closeThread(MessageID("s"))
        screen.reopenThread(MessageID("s"))
        screen.search("s3cret")
        screen.searchMore()
        screen.reload()
        screen.retry(MessageID("s"))
        screen.delete(MessageID("s"))
        chat.settle()
        #expect(chat.delegate.lines.count == 12)
        #expect(!chat.delegate.lines.contains { $0.contains("s3cret") })
    }
}
