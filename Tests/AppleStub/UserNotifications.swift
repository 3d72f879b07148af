// The signatures of Apple's UserNotifications that Holdfast uses: `scripts/check-apple.sh` compiles this into a module
// named UserNotifications. Nothing here is ever run.

public import Foundation

open class UNNotificationContent: NSObject {
    open var userInfo: [AnyHashable: Any] { [:] }
}

open class UNMutableNotificationContent: UNNotificationContent {
    open var title = ""
    open var body = ""
    open var threadIdentifier = ""
    open var badge: NSNumber?
}

open class UNNotificationRequest: NSObject {
    open var content: UNNotificationContent { UNNotificationContent() }
}
