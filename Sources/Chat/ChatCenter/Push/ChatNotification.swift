import ChatCenterCore
import ChatWire
// `Locale` is needed for the language of the system.
import Foundation

/// A push notification of the chat, read from its payload. Contains no reference to the app's user.
///
/// Use it in the app for silent notifications, and in a notification service extension for the text that the system
/// shows. Reading never fails because of a single field: a field of another type or above its limit is `nil`.
public struct ChatNotification: Hashable, Sendable {
    /// A mass mailing that a notification belongs to.
    public struct Campaign: Hashable, Sendable {
        /// The name of the mailing, if the payload has one.
        public var name: String?
    }

    /// The largest number of characters of a text. Longer texts are cut.
    public static let maximumTextLength = 4000

    /// The mass mailing; `nil` for an ordinary message. ``ChatCenterUISDK/getChat(userInfo:)`` quotes it.
    public var campaign: Campaign?
    /// The server's id of the message that the notification announces.
    public var chatMessageId: String?
    /// The name of the person or program that wrote the message.
    public var senderName: String?
    /// The title that the server suggests.
    public var title: String?
    /// The text of the message.
    public var text: String?
    /// The number for the app's icon.
    public var badge: Int?
    /// Whether the notification shows nothing to the user and only asks the app to fetch messages.
    public var isSilent: Bool

    /// Reads the payload of a notification. Returns `nil` if the notification does not belong to the chat, by the rule
    /// of ``ChatCenterUISDK/isChatCenterNotification(_:)``.
    public init?(userInfo: [AnyHashable: Any]) {
        self.init(payload: JSONObject(userInfo: userInfo))
    }

    init?(payload: JSONObject) {
        guard payload["origin"] == .string("threads") else { return nil }
        let aps = payload["aps"]?.objectValue
        let alert = aps?["alert"]
        let isMassPush = payload["massPushMessage"]?.boolValue == true || payload["type"] == .string("MASS_PUSH")
        let name = payload.campaignName
        if isMassPush || name != nil { campaign = Campaign(name: name) }
        chatMessageId = payload.messageIdentifier
        senderName = payload["senderName"]?.shownText
        title = alert?.objectValue?["title"]?.shownText
        text =
            payload["text"]?.shownText ?? payload["message"]?.shownText ?? alert?.shownText
            ?? alert?.objectValue?["body"]?.shownText
        badge = aps?["badge"]?.integerValue.map { Int(clamping: max(0, $0)) }
        let asksForFetch = aps?["content-available"]?.integerValue == 1 || aps?["content-available"]?.boolValue == true
        isSilent = asksForFetch && alert == nil
    }
}

extension JSONValue {
    /// A text for people, without surrounding white space and cut at the limit; `nil` if nothing remains.
    fileprivate var shownText: String? {
        guard let text = stringValue else { return nil }
        let start = text.drop { $0.isWhitespace }
        guard let end = start.lastIndex(where: { !$0.isWhitespace }) else { return nil }
        return String(start[...end].prefix(ChatNotification.maximumTextLength))
    }
}

/// The lines that a notification shows.
public struct ChatNotificationContent: Hashable, Sendable {
    /// The first line: who wrote the message.
    public var title: String
    /// The text of the message.
    public var body: String
    /// The name under which the system groups the chat's notifications.
    public var threadIdentifier: String
    /// The number for the app's icon; `nil` to leave it unchanged.
    public var badge: Int?
}

extension ChatNotification {
    /// The name under which the system groups the chat's notifications.
    public static let threadIdentifier = "chat"

    /// The lines that the notification shows: the sender and the text.
    ///
    /// A missing sender is replaced by the server's title, then by the text of ``ChatTextKey/titleOpened``. A missing
    /// text is replaced by that of ``ChatTextKey/pushNewMessage``.
    ///
    /// - Parameter localization: The app's texts. A notification service extension is another process, so it cannot
    ///   use ``ChatCenterUISDK/localizationConfig`` of the app.
    public func content(localization: ChatLocalizationConfig? = nil) -> ChatNotificationContent {
        let wording = ChatWording(localization ?? ChatAppearance.localizationConfig, system: .current)
        return ChatNotificationContent(
            title: senderName ?? title ?? wording.text(.titleOpened), body: text ?? wording.text(.pushNewMessage),
            threadIdentifier: Self.threadIdentifier, badge: badge)
    }
}
