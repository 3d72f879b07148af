#if canImport(UIKit)
import Dispatch
import Foundation
import UIKit
#endif

extension ChatCenterUISDK {
    /// Tells the SDK that the app entered the background: the SDK closes the socket and cancels all timers.
    ///
    /// With UIKit, the SDK calls this itself; elsewhere, the app calls it. A process that starts in the background
    /// calls it before ``authorize(user:auth:)``, so that no socket is opened.
    public func applicationDidEnterBackground() {
        driver.beganInBackground()
    }

    /// Tells the SDK that the app is in the foreground again: the SDK fetches missed messages and the unread count.
    ///
    /// With UIKit, the SDK calls this itself; elsewhere, the app calls it.
    public func applicationWillEnterForeground() {
        driver.handle(.enteredForeground)
    }

    /// Observes the app's life cycle on platforms that report it.
    func observeApplication() {
        #if canImport(UIKit)
        // Block observers need no token: they hold the SDK weakly and do nothing after it is freed.
        let center = NotificationCenter.default
        _ = center.addObserver(forName: UIApplication.didEnterBackgroundNotification, object: nil, queue: nil) {
            [weak self] _ in self?.applicationDidEnterBackground()
        }
        _ = center.addObserver(forName: UIApplication.willEnterForegroundNotification, object: nil, queue: nil) {
            [weak self] _ in self?.applicationWillEnterForeground()
        }
        // A push may have started the process. Only the main thread can read the state. If the SDK is created on
        // another thread, the app reports the background itself, or the block below does so a moment later.
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
