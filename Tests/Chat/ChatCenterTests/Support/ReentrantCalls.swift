import ChatCenterCore
import Foundation

@testable import ChatCenter

/// A call of each public method of `ChatCenterUISDK` and `ChatScreen`.
enum ReentrantCalls {
    /// What the calls need.
    struct Place: Sendable {
        let sdk: ChatCenterUISDK
        let screen: ChatScreen
        /// A button of a message.
        let button: ChatScreenMessage.Button
        /// A file of a message.
        let file: ChatScreenMessage.File
        /// A file to send.
        let path: URL
        let folder: URL
    }

    typealias Call = (name: String, body: @Sendable (Place) throws -> Void)
    typealias WaitingCall = (name: String, body: @Sendable (Place) async throws -> Void)

    /// Makes all calls that return at once. A call may fail, because an earlier one has logged the user out.
    static func callAll(_ place: Place) {
        for (_, call) in immediate { try? call(place) }
    }

    /// The calls that return at once.
    static var immediate: [Call] { screen + session }

    private static let message = MessageID("q")

    private static let screen: [Call] = [
        ("ChatScreen.viewDidAppear", { $0.screen.viewDidAppear() }),
        ("ChatScreen.state", { _ = $0.screen.state }),
        ("ChatScreen.states", { _ = $0.screen.states }),
        ("ChatScreen.theme", { _ = $0.screen.theme }),
        ("ChatScreen.darkTheme", { _ = $0.screen.darkTheme }),
        ("ChatScreen.texts", { _ = $0.screen.texts }),
        ("ChatScreen.text", { _ = ($0.screen.text(.searchTitle), $0.screen.text(.chatUnread, count: 2)) }),
        ("ChatScreen.language", { _ = $0.screen.language }),
        ("ChatScreen.isRightToLeft", { _ = $0.screen.isRightToLeft }),
        ("ChatScreen.security", { _ = $0.screen.security }),
        ("ChatScreen.attachmentLimits", { _ = $0.screen.attachmentLimits }),
        ("ChatScreen.send", { try $0.screen.send("from within") }),
        ("ChatScreen.press", { try $0.screen.press($0.button) }),
        (
            "ChatScreen.attach",
            { try $0.screen.attach($0.path, name: nil, type: "text/plain", text: nil, onProgress: { _ in }) }
        ),
        ("ChatScreen.contents", { _ = try $0.screen.contents(of: $0.path) }),
        ("ChatScreen.open", { _ = $0.screen.open($0.path) }),
        ("ChatScreen.typed", { $0.screen.typed("a draft") }),
        ("ChatScreen.quote", { $0.screen.quote(message) }),
        ("ChatScreen.retry", { $0.screen.retry(message) }),
        ("ChatScreen.delete", { $0.screen.delete(message) }),
        ("ChatScreen.rate", { $0.screen.rate(message, question: 1, rate: 1) }),
        ("ChatScreen.comment", { $0.screen.comment(message, "a comment") }),
        ("ChatScreen.submit", { $0.screen.submit(message) }),
        ("ChatScreen.closeThread", { $0.screen.closeThread(message) }),
        ("ChatScreen.reopenThread", { $0.screen.reopenThread(message) }),
        ("ChatScreen.loadOlder", { $0.screen.loadOlder() }),
        ("ChatScreen.search", { $0.screen.search("Sure") }),
        ("ChatScreen.searchMore", { $0.screen.searchMore() }),
        ("ChatScreen.showContext", { $0.screen.showContext(of: message) }),
        ("ChatScreen.loadOlderContext", { $0.screen.loadOlderContext() }),
        ("ChatScreen.loadNewerContext", { $0.screen.loadNewerContext() }),
        ("ChatScreen.closeContext", { $0.screen.closeContext() }),
        ("ChatScreen.reload", { $0.screen.reload() }),
        ("ChatScreen.viewDidDisappear", { $0.screen.viewDidDisappear() }),
    ]

    private static let session: [Call] = [
        ("ChatCenterUISDK.connectionState", { _ = $0.sdk.connectionState }),
        ("ChatCenterUISDK.effectiveConfig", { _ = $0.sdk.effectiveConfig }),
        ("ChatCenterUISDK.isAuthorized", { _ = $0.sdk.isAuthorized }),
        ("ChatCenterUISDK.delegate", { _ = $0.sdk.delegate }),
        ("ChatCenterUISDK.observer", { $0.sdk.observer = $0.sdk.observer }),
        ("ChatCenterUISDK.delegateExecutor", { $0.sdk.delegateExecutor = $0.sdk.delegateExecutor }),
        ("ChatCenterUISDK.events", { _ = $0.sdk.events }),
        ("ChatCenterUISDK.configurationDiagnoses", { _ = $0.sdk.configurationDiagnoses }),
        ("ChatCenterUISDK.diagnosis", { _ = $0.sdk.diagnosis(of: TransportFailure(.unreachable)) }),
        ("ChatCenterUISDK.underlyingError", { _ = $0.sdk.underlyingError(of: TransportFailure(.unreachable)) }),
        // The setter is that of the whole process, and other tests use it.
        ("ChatCenterUISDK.localizationConfig", { _ = $0.sdk.localizationConfig }),
        ("ChatCenterUISDK.theme", { $0.sdk.theme = ChatTheme() }),
        ("ChatCenterUISDK.darkTheme", { $0.sdk.darkTheme = .dark }),
        ("ChatCenterUISDK.send", { try $0.sdk.send(.text("from within")) }),
        ("ChatCenterUISDK.prefill", { $0.sdk.prefill(message: "x") }),
        ("ChatCenterUISDK.getUnreadMessagesCount", { try $0.sdk.getUnreadMessagesCount { _ in } }),
        ("ChatCenterUISDK.getChat", { _ = try $0.sdk.getChat(userInfo: ["origin": "threads"]) }),
        ("ChatCenterUISDK.handleNotification", { try $0.sdk.handleNotification(userInfo: ["origin": "threads"]) }),
        ("ChatCenterUISDK.isChatCenterNotification", { _ in _ = ChatCenterUISDK.isChatCenterNotification([:]) }),
        // The same token as in other tests, because it is that of the whole process.
        ("ChatCenterUISDK.setDeviceToken", { _ in ChatCenterUISDK.setDeviceToken(Data([0x0a, 0xff])) }),
        ("ChatCenterUISDK.exportLogs", { try $0.sdk.exportLogs(to: $0.folder) }),
        ("ChatCenterUISDK.applicationDidEnterBackground", { $0.sdk.applicationDidEnterBackground() }),
        ("ChatCenterUISDK.applicationWillEnterForeground", { $0.sdk.applicationWillEnterForeground() }),
        (
            "ChatCenterUISDK.logout",
            { place in
                place.sdk.logout { _ in _ = place.sdk.isAuthorized }
                // The user who comes next logs out by the older method.
                place.sdk.authorize(user: ChatUser(identifier: "client-2"))
                try (place.sdk as any LoggingOut).logOut()
            }
        ),
        ("ChatCenterUISDK.deauthorizeUser", { $0.sdk.deauthorizeUser() }),
        ("ChatCenterUISDK.authorize", { $0.sdk.authorize(user: ChatUser(identifier: "client-1")) }),
    ]

    /// The calls that can be awaited.
    static let waiting: [WaitingCall] = [
        ("ChatScreen.send async", { try await $0.screen.send("from within") }),
        ("ChatScreen.press async", { try await $0.screen.press($0.button, id: MessageID("pressed")) }),
        (
            "ChatScreen.attach async",
            {
                try await $0.screen.attach(
                    $0.path, id: MessageID("attached"), name: nil, type: "text/plain", text: nil,
                    durationMilliseconds: nil)
            }
        ),
        ("ChatScreen.download async", { _ = try await $0.screen.download($0.file) }),
        ("ChatCenterUISDK.send async", { try await $0.sdk.send(.text("from within")) }),
        ("ChatCenterUISDK.authorize async", { try await $0.sdk.authorize(ChatUser(identifier: "client-1")) }),
        ("ChatCenterUISDK.unreadMessagesCount async", { _ = try await $0.sdk.unreadMessagesCount() }),
        (
            "ChatCenterUISDK.fetch async",
            { place in
                guard let notification = ChatNotification(userInfo: ["origin": "threads"]) else { return }
                _ = await place.sdk.fetch(for: notification)
            }
        ),
        ("ChatCenterUISDK.endSession async", { _ = try await $0.sdk.endSession() }),
    ]

    /// The awaited calls that end when the message is stored.
    static let storing: Set<String> = [
        "ChatScreen.send async", "ChatScreen.press async", "ChatScreen.attach async", "ChatCenterUISDK.send async",
    ]
}

/// Calls the deprecated method without a warning, because tests treat warnings as errors.
private protocol LoggingOut {
    func logOut() throws
}

extension ChatCenterUISDK: LoggingOut {
    @available(*, deprecated)
    fileprivate func logOut() throws { try logout() }
}
