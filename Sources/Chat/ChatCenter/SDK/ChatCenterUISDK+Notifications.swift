public import Foundation

extension ChatCenterUISDK {
    /// Sets the push token of this device: for all instances, at any time, before a user is authorised too.
    public static func setDeviceToken(_ deviceToken: Data) {
        DeviceToken.set(deviceToken.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined())
    }

    /// Whether a push notification is the chat's.
    public static func isChatCenterNotification(_ userInfo: [String: Any]) -> Bool {
        userInfo["origin"] as? String == "threads"
    }

    /// Says whether a notification that arrived while the app runs needs no showing.
    ///
    /// - Throws: ``ChatCenterUIError/chatNotOpened`` when the chat is not on the screen, or the notification is empty.
    public func handleNotification(userInfo: [AnyHashable: Any]) throws(ChatCenterUIError) {
        guard driver.snapshot.screen?.isVisible == true, !userInfo.isEmpty else { throw .chatNotOpened }
    }
}
