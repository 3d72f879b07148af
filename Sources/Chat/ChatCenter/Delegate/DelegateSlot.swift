import Dispatch
import Foundation

/// Holds the delegate and the observer weakly, and calls each on its executor in the order of the reports.
final class DelegateSlot: Sendable {
    /// An event to report.
    enum Report: Sendable {
        case unread(Int)
        case failed(any Error)
        case logged(String)
    }

    private struct State {
        weak var delegate: (any ChatCenterUISDKDelegate)?
        weak var observer: (any ChatCenterUISDKObserver)?
        var executor = ChatDelegateExecutor.mainActor
    }

    private let state = OrderedMutex(.delegates, State())
    /// The SDK's own queue. Reports are never delivered synchronously, because the reporting code may hold a lock.
    private let inline: any ChatExecutor

    init(inline: any ChatExecutor) {
        self.inline = inline
    }

    var delegate: (any ChatCenterUISDKDelegate)? {
        get { state.withLock { $0.delegate } }
        set { state.withLock { $0.delegate = newValue } }
    }

    var observer: (any ChatCenterUISDKObserver)? {
        get { state.withLock { $0.observer } }
        set { state.withLock { $0.observer = newValue } }
    }

    var executor: ChatDelegateExecutor {
        get { state.withLock { $0.executor } }
        set { state.withLock { $0.executor = newValue } }
    }

    /// Reports an event to the delegate and the observer, if they still exist when the call runs.
    ///
    /// - Parameter sdk: Returns the reporting SDK when the call runs; `nil` if it was freed, and then nothing is
    ///   reported.
    func tell(_ report: Report, of sdk: @escaping @Sendable () -> ChatCenterUISDK?) {
        // Nothing is queued without a receiver, because such a program may not run a main loop.
        if delegate != nil {
            DispatchQueue.main.async { [self] in
                MainActor.assumeIsolated {
                    guard let delegate, let sdk = sdk() else { return }
                    report.tell(delegate, sdk)
                }
            }
        }
        if observer != nil {
            run { [self] in
                guard let observer, let sdk = sdk() else { return }
                report.tell(observer, sdk)
            }
        }
    }

    /// Returns whether the app opens a link. Calls the observer first, then the delegate if this is the main thread.
    func opens(_ url: URL, _ sdk: ChatCenterUISDK) -> Bool {
        if let observer, observer.chatCenterUI(chatCenter: sdk, didOpen: url) { return true }
        guard let delegate, MainQueue.isCurrent else { return false }
        return MainActor.assumeIsolated { delegate.chatCenterUI(chatCenter: sdk, didOpen: url) }
    }

    /// Runs a closure on the executor, after the closures that were queued before.
    func run(_ body: @escaping @Sendable () -> Void) {
        switch executor {
        case .mainActor: DispatchQueue.main.async(execute: body)
        case .queue(let queue): queue.async(execute: body)
        case .inline: inline.run(body)
        }
    }
}

extension DelegateSlot.Report {
    @MainActor fileprivate func tell(_ delegate: any ChatCenterUISDKDelegate, _ sdk: ChatCenterUISDK) {
        switch self {
        case .unread(let count): delegate.chatCenterUI(chatCenter: sdk, didChangeUnreadMessages: count)
        case .failed(let error): delegate.chatCenterUI(chatCenter: sdk, didReceiveNetwork: error)
        case .logged(let line): delegate.chatCenterUI(chatCenter: sdk, didLog: line)
        }
    }

    fileprivate func tell(_ observer: any ChatCenterUISDKObserver, _ sdk: ChatCenterUISDK) {
        switch self {
        case .unread(let count): observer.chatCenterUI(chatCenter: sdk, didChangeUnreadMessages: count)
        case .failed(let error): observer.chatCenterUI(chatCenter: sdk, didReceiveNetwork: error)
        case .logged(let line): observer.chatCenterUI(chatCenter: sdk, didLog: line)
        }
    }
}

/// Determines whether the current code runs on the main queue.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// The main thread is not enough: after `dispatchMain`, the main queue has no thread of its own.
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}
