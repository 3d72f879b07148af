import ChatCenterCore
import ChatWire
import Foundation
import Testing

@testable import ChatCenter

/// A process that a push started: no work runs before the user sees the app.
@Suite struct BackgroundStartTests {
    let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
    }

    @Test("a process that starts in the background opens no socket, sets no timer and observes no path")
    func background() throws {
        var script = ScriptedNetwork.Script()
        var answer = ConfigurationAnswer.standard
        answer.settings?.registerAtFirstStart = true
        script.configuration = .success(.configuration(answer))
        let chat = TestChat(in: folder, script: script, configure: { $0.unreadMessageCountDelay = 30 })
        let before = try folder.contents().count
        chat.sdk.applicationDidEnterBackground()
        #expect(try folder.contents().count == before, "no I/O")
        chat.sdk.authorize(user: ChatUser(identifier: "client-1"))
        chat.settle()
        chat.advance(by: .seconds(3600))
        #expect(chat.network.socketCredentials.isEmpty)
        #expect(!chat.clock.isArmed)
        #expect(!chat.pathMonitor.isWatched)
        chat.sdk.applicationWillEnterForeground()
        chat.settle()
        #expect(chat.network.socketCredentials.count == 1)
        #expect(chat.pathMonitor.isWatched)
    }

    @Test("the foreground revokes a background state that was reported first")
    func foregroundAtOnce() throws {
        let chat = TestChat(in: folder)
        chat.sdk.applicationDidEnterBackground()
        chat.sdk.applicationWillEnterForeground()
        _ = try chat.open()
        #expect(chat.network.live != nil)
    }
}
