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

@MainActor open class UIResponder: NSObject {}

@MainActor open class UIView: UIResponder {
    public struct AutoresizingMask: OptionSet, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static var flexibleWidth: AutoresizingMask { AutoresizingMask(rawValue: 2) }
        public static var flexibleHeight: AutoresizingMask { AutoresizingMask(rawValue: 16) }
    }

    open var frame: CGRect = .zero
    open var bounds: CGRect = .zero
    open var autoresizingMask: AutoresizingMask = []
    open func addSubview(_ view: UIView) {}
}

@MainActor open class UIViewController: UIResponder {
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
    public required init?(coder: NSCoder) { nil }

    open var view: UIView! = UIView()
    open func viewDidLoad() {}
    open func addChild(_ childController: UIViewController) {}
    open func didMove(toParent parent: UIViewController?) {}
}

@available(iOS 3.0, *)
open class UIPasteboard: NSObject {
    open class var general: UIPasteboard { UIPasteboard() }
    open var string: String? {
        get { nil }
        set {}
    }
}
