import ChatCenter
import Foundation
import Synchronization

/// An observer that records each event, and calls the chat each time, as apps do.
final class RecordingDelegate: ChatCenterUISDKObserver {
    private struct State {
        var unread: [Int] = []
        var errors: [any Error] = []
        var lines: [String] = []
        var opened: [URL] = []
    }

    private let state = Mutex(State())

    var unread: [Int] { state.withLock { $0.unread } }
    var errors: [any Error] { state.withLock { $0.errors } }
    var lines: [String] { state.withLock { $0.lines } }
    var opened: [URL] { state.withLock { $0.opened } }

    func chatCenterUI(chatCenter: ChatCenterUISDK, didChangeUnreadMessages count: Int) {
        asked(chatCenter)
        state.withLock { $0.unread.append(count) }
    }

    func chatCenterUI(chatCenter: ChatCenterUISDK, didReceiveNetwork error: any Error) {
        asked(chatCenter)
        state.withLock { $0.errors.append(error) }
    }

    func chatCenterUI(chatCenter: ChatCenterUISDK, didOpen url: URL) -> Bool {
        asked(chatCenter)
        state.withLock { $0.opened.append(url) }
        return url.scheme == "app"
    }

    func chatCenterUI(chatCenter: ChatCenterUISDK, didLog event: String) {
        asked(chatCenter)
        state.withLock { $0.lines.append(event) }
    }

    private func asked(_ chat: ChatCenterUISDK) {
        _ = (chat.isAuthorized, chat.connectionState)
    }
}
