import ChatCenter
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Chat/ChatCenter/Documentation.docc/Texts.md.
struct ChatTextsSnippets {
    func sample1(_ sdk: ChatCenterUISDK, file: URL) async throws {
        sdk.localizationConfig = ChatLocalizationConfig(bundle: .main, tableName: "Chat", locale: Locale(identifier: "pl"))
        sdk.localizationConfig = try ChatLocalizationConfig(file: file, locale: Locale(identifier: "pl"))
    }
}
