#if canImport(UIKit)
import Dispatch
import Foundation
import UIKit
#endif

extension ChatCenterUISDK {
    /// The app went to the background: the socket is closed, no timer is left. Called by the SDK itself where there is
    /// UIKit; elsewhere by the app. A process that begins in the background says so before ``authorize(user:auth:)``, and
    /// opens no socket then.
    public func applicationDidEnterBackground() {
        driver.beganInBackground()
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
        _ = center.addObserver(forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil) {
            [weak self] _ in self?.applicationDidEnterBackground()
        }
        _ = center.addObserver(forName: UIApplication.willEnterForegroundNotification, object: nil, queue: nil) {
            [weak self] _ in self?.applicationWillEnterForeground()
        }
        // A push may have started the process. The state is the main thread's to tell; who makes the SDK elsewhere says so
        // himself, or is corrected a moment later.
        if Thread.isMainThread {
            MainActor.assumeIsolated { noteState(of: UIApplication.shared) }
        } else {
            DispatchQueue.main.async { [weak self] in
                MainActor.assumeIsolated { self?.noteState(of: UIApplication.shared) }
            }
        }
        #endif
    }

    #if canImport(UIKit)
    @MainActor private func noteState(of application: UIApplication) {
        if application.applicationState == .background { driver.beganInBackground() }
    }
    #endif
}
