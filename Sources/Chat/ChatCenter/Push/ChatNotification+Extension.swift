#if canImport(UserNotifications)
import Foundation
public import UserNotifications

extension ChatNotification {
    /// Reads the notification of a request. Returns `nil` if it does not belong to the chat.
    public init?(_ request: UNNotificationRequest) {
        self.init(userInfo: request.content.userInfo)
    }

    /// Returns the content that a notification service extension passes to the system: the sender as the title, the
    /// text, and the chat's group. The sound and the attachments stay as they are.
    ///
    /// ```swift
    /// override func didReceive(
    ///     _ request: UNNotificationRequest, withContentHandler handler: @escaping (UNNotificationContent) -> Void
    /// ) {
    ///     handler(ChatNotification.content(for: request))
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - request: The request that the extension received.
    ///   - localization: The texts for a missing sender or text; the built-in ones by default.
    /// - Returns: The new content, or the original one if the notification does not belong to the chat.
    public static func content(
        for request: UNNotificationRequest, localization: ChatLocalizationConfig? = nil
    ) -> UNNotificationContent {
        guard let notification = ChatNotification(request),
            let content = request.content.mutableCopy() as? UNMutableNotificationContent
        else { return request.content }
        let lines = notification.content(localization: localization)
        content.title = lines.title
        content.body = lines.body
        content.threadIdentifier = lines.threadIdentifier
        if let badge = lines.badge { content.badge = NSNumber(value: badge) }
        return content
    }
}
#endif
