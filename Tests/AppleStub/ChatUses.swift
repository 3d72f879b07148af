// What an app writes to show the chat, as in Sources/Chat/ChatCenterUI/Documentation.docc/Views.md; type-checked by
// `scripts/check-apple.sh` and never run.

import ChatCenter
import SwiftUI

struct SupportView: View {
    let screen: ChatScreen

    var body: some View { ChatView(screen, options: options) }

    private var options: ChatViewOptions {
        var options = ChatViewOptions()
        options.showsPhotos = false
        return options
    }
}
