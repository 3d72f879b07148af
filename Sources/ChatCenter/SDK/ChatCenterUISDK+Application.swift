#if canImport(UIKit)
import UIKit
#endif

extension ChatCenterUISDK {
    /// The app went to the background: the socket is closed, no timer is left. Called by the SDK itself where there is
    /// UIKit; elsewhere by the app.
    public func applicationDidEnterBackground() {
        driver.handle(.enteredBackground)
    }

    /// The app is back in the foreground: what was missed is fetched, and the unread count with it. Called by the SDK
    /// itself where there is UIKit; elsewhere by the app.
    public func applicationWillEnterForeground() {
        driver.handle(.enteredForeground)
    }

    /// Follows the app's life where the platform tells of it.
    func observeApplication() {
        #if canImport(UIKit)
        // Block observers without a token to remove: they hold the SDK weakly and cost nothing after it is gone.
        let center = NotificationCenter.default
        center.addObserver(forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil) {
            [weak self] _ in self?.applicationDidEnterBackground()
        }
        center.addObserver(forName: UIApplication.willEnterForegroundNotification, object: nil, queue: nil) {
            [weak self] _ in self?.applicationWillEnterForeground()
        }
        #endif
    }
}
