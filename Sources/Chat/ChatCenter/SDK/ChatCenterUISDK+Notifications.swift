import HoldfastBase
import ChatWire
public import Foundation
import HoldfastTrust

extension ChatCenterUISDK {
    /// Sets the push token of this device for all instances. Call it at any time, also before a user is authorized.
    public static func setDeviceToken(_ deviceToken: Data) {
        DeviceToken.set(deviceToken.hexadecimal)
    }

    /// Returns whether a push notification belongs to the chat.
    public static func isChatCenterNotification(_ userInfo: [String: Any]) -> Bool {
        userInfo["origin"] as? String == "threads"
    }

    /// Accepts a notification that arrived while the app runs. If it returns, the notification need not be shown.
    ///
    /// - Throws: ``ChatCenterUIError/chatNotOpened`` when the chat is not on the screen, or the notification is empty.
    public func handleNotification(userInfo: [AnyHashable: Any]) throws(ChatCenterUIError) {
        guard driver.snapshot.screen?.isVisible == true, !userInfo.isEmpty else { throw .chatNotOpened }
    }
}

extension JSONObject {
    /// Converts the parts of a notification that JSON can represent, in the order of their keys. The depth is limited,
    /// because a notification comes from a server.
    init(userInfo: [AnyHashable: Any]) {
        self = Self.object(userInfo, depth: 0)
    }

    /// The maximum nesting depth of a notification. Deeper values are left out.
    private static let maximumDepth = 8

    private static func object(_ members: [AnyHashable: Any], depth: Int) -> JSONObject {
        var object = JSONObject()
        let named = members.compactMap { key, value in (key.base as? String).map { ($0, value) } }
        for (key, member) in named.sorted(by: { $0.0 < $1.0 }) {
            if let value = value(member, depth: depth + 1) { object[key] = value }
        }
        return object
    }

    private static func value(_ value: Any, depth: Int) -> JSONValue? {
        guard depth <= maximumDepth else { return nil }
        switch value {
        case let text as String: return .string(text)
        case let truth as Bool: return .bool(truth)
        case let number as Int: return .integer(Int64(number))
        case let object as [AnyHashable: Any]: return .object(Self.object(object, depth: depth))
        case let elements as [Any]: return .array(elements.compactMap { Self.value($0, depth: depth + 1) })
        default: return nil
        }
    }
}
