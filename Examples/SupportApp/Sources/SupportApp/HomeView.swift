import ChatCenter
import ChatCenterUI
import Foundation
import SwiftUI

/// The app's first view. It shows the chat when the user opens it.
struct HomeView: View {
    let support: Support

    /// The chat's screen while it is shown. A new one is created each time the chat is opened.
    @State private var screen: ChatScreen?
    @State private var problem: String?

    var body: some View {
        if let screen {
            VStack {
                Button(action: { self.screen = nil }, label: { Text("Close") })
                ChatView(screen, options: options)
            }
        } else {
            VStack {
                Button(action: open, label: { Text("Write to support") })
                if let problem { Text(problem) }
            }
        }
    }

    private var options: ChatViewOptions {
        var options = ChatViewOptions()
        options.showsSecurity = false  // the app's own view explains the security
        return options
    }

    private func open() {
        do {
            screen = try support.open()
            problem = nil
        } catch {
            problem = "The chat cannot be opened: \(error)"
        }
    }
}
