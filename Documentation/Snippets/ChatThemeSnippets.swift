import ChatCenter
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Chat/ChatCenter/Documentation.docc/Theme.md.
struct ChatThemeSnippets {
    func sample1(_ sdk: ChatCenterUISDK) async throws {
        var theme = ChatTheme(colors: ChatColors(link: ChatColor(0x7A2EA0)))
        theme.components.messageCornerRadius = 4
        theme.flows.chatFlow.quickReplyStyle.mode = .toolbar
        sdk.theme = theme                              // also sets darkTheme
        sdk.darkTheme = ChatTheme(colors: .dark)
    }
}
