import Dispatch
import Foundation

/// Holds the delegate and the observer weakly, and calls each where it belongs, in the order of the calls made here.
final class DelegateSlot: Sendable {
    /// What there is to report.
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
    /// The SDK's own queue. Never called on at once: whoever has something to tell may hold a lock.
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

    /// Reports something to those of the two that are there when their turn has come.
    ///
    /// - Parameter sdk: Whom the report is about. Asked when the turn has come; nothing is reported of one that is gone.
    func tell(_ report: Report, of sdk: @escaping @Sendable () -> ChatCenterUISDK?) {
        // Without anybody nothing is queued: a program that has neither may have no main loop either.
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

    /// Asks whether the app opens a link: the observer, then, on the main thread, the delegate.
    func opens(_ url: URL, _ sdk: ChatCenterUISDK) -> Bool {
        if let observer, observer.chatCenterUI(chatCenter: sdk, didOpen: url) { return true }
        guard let delegate, MainQueue.isCurrent else { return false }
        return MainActor.assumeIsolated { delegate.chatCenterUI(chatCenter: sdk, didOpen: url) }
    }

    /// Runs something on the executor, behind what was queued there before.
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

/// Whether the caller runs where the main actor does.
enum MainQueue {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    /// Not the thread alone: after `dispatchMain` the main queue has no thread of its own.
    static var isCurrent: Bool { Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true }
}
