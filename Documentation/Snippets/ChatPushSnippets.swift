import ChatCenter
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Chat/ChatCenter/Documentation.docc/Push-Notifications.md.
struct ChatPushSnippets {
    func sample1(_ sdk: ChatCenterUISDK, token: Data, userInfo: [String: Any]) async throws {
        ChatCenterUISDK.setDeviceToken(token)                    // any time, also before authorize

        if ChatCenterUISDK.isChatCenterNotification(userInfo) {  // origin is "threads"
            let screen = try sdk.getChat(userInfo: userInfo)     // quotes a mass mailing above the input field
        }
    }
}
