// The signatures of Apple's UIKit that Holdfast uses: `scripts/check-apple.sh` compiles this into a module named UIKit.
// Nothing here is ever run.

public import Foundation

@MainActor open class UIApplication: NSObject {
    public enum State: Int, Sendable {
        case active, inactive, background
    }

    public class var shared: UIApplication { UIApplication() }
    public nonisolated class var didEnterBackgroundNotification: Notification.Name { Notification.Name("background") }
    public nonisolated class var willEnterForegroundNotification: Notification.Name { Notification.Name("foreground") }

    open var applicationState: State { .active }
}

public final class UIImage: NSObject, Sendable {
    public func jpegData(compressionQuality: Double) -> Data? { nil }
}
