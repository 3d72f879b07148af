// The signatures of Apple's QuickLook framework and its SwiftUI overlay that Holdfast uses: `scripts/check-apple.sh`
// compiles this into a module named QuickLook. Nothing here is ever run.

public import Foundation
public import SwiftUI

@available(iOS 14.0, macOS 11.0, *)
extension View {
    @MainActor @preconcurrency public func quickLookPreview(_ item: Binding<URL?>) -> some View { EmptyView() }
}
