import ChatCenter
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of docs/chat-texts.md.
struct ChatTextsSnippets {
    func sample1(_ sdk: ChatCenterUISDK, file: URL) async throws {
        sdk.localizationConfig = ChatLocalizationConfig(bundle: .main, tableName: "Chat", locale: Locale(identifier: "pl"))
        sdk.localizationConfig = try ChatLocalizationConfig(file: file, locale: Locale(identifier: "pl"))
    }
}
