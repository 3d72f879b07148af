import ChatCenter
import Foundation

#if canImport(FoundationNetworking)
import FoundationNetworking
#endif

/// The samples of Sources/Chat/ChatCenter/Documentation.docc/Diagnostics.md.
struct DiagnosticsSnippets {
    func sample1(_ chat: ChatCenterUISDK, user: ChatUser) async throws {
        do {
            try await chat.authorize(user)
        } catch let error as ChatAuthorizationError {
            print(error.diagnosis?.cause, error.diagnosis?.evidence, error.diagnosis?.remedy)
        }
    }
}
