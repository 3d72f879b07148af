import SwiftUI

/// An app for iOS and macOS with a button that opens the chat.
@main
struct SupportApp: App {
    private let support = Support()

    var body: some Scene {
        WindowGroup { HomeView(support: support) }
    }
}
