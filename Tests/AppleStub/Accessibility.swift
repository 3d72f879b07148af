// The signatures of Apple's Accessibility framework that Holdfast uses: `scripts/check-apple.sh` compiles this into a
// module named Accessibility. Nothing here is ever run.

public import Foundation

@available(iOS 17.0, macOS 14.0, *)
public enum AccessibilityNotification {
    public struct Announcement {
        public init(_ announcement: AttributedString) {}
        public init(_ announcement: String) {}
        public func post() {}
    }
}
