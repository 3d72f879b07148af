#if canImport(SwiftUI) && canImport(UIKit)
public import ChatCenter
public import Foundation
import SwiftUI
public import UIKit

/// A chat screen in UIKit: a view controller around ``ChatView``. It has been type-checked against stubs and has not
/// been run on Apple hardware.
///
/// ```swift
/// let controller = ChatViewController(try sdk.getChat())
/// navigationController.pushViewController(controller, animated: true)
/// ```
public final class ChatViewController: UIViewController {
    /// The screen that the view shows.
    public let screen: ChatScreen
    private let options: ChatViewOptions

    /// Creates a controller for a screen.
    ///
    /// - Parameters:
    ///   - screen: The screen, from ``ChatCenterUISDK/getChat(userInfo:)``.
    ///   - options: The settings that do not come from the server.
    public init(_ screen: ChatScreen, options: ChatViewOptions = ChatViewOptions()) {
        self.screen = screen
        self.options = options
        super.init(nibName: nil, bundle: nil)
    }

    /// A storyboard cannot create the controller, because it has no screen.
    @available(*, unavailable)
    public required init?(coder: NSCoder) { nil }

    /// Adds the view of the chat.
    public override func viewDidLoad() {
        super.viewDidLoad()
        let host = UIHostingController(rootView: ChatView(screen, options: options))
        addChild(host)
        host.view.frame = view.bounds
        host.view.autoresizingMask = [.flexibleWidth, .flexibleHeight]
        view.addSubview(host.view)
        host.didMove(toParent: self)
    }
}
#endif
