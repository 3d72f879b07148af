import ChatCenter
import ChatCenterCore
import Dispatch
import Foundation

/// What the view model calls on a screen. ``ChatScreen`` is the only implementation outside the tests.
protocol ChatScreenActions: Sendable {
    var attachmentLimits: ChatAttachmentLimits { get }

    func viewDidAppear()
    func viewDidDisappear()
    func typed(_ draft: String)
    func loadOlder()
    func quote(_ message: MessageID?)
    func rate(_ survey: ChatScreenSurvey.ID, question: Int64, rate: Int64)
    func comment(_ survey: ChatScreenSurvey.ID, _ text: String)
    func submit(_ survey: ChatScreenSurvey.ID)
    func closeThread(_ request: ChatScreenSurvey.ID)
    func reopenThread(_ request: ChatScreenSurvey.ID)
    func search(_ text: String)
    func searchMore()
    func showContext(of message: MessageID)
    func loadOlderContext()
    func loadNewerContext()
    func closeContext()
    func reload()
    func retry(_ message: MessageID)
    func delete(_ message: MessageID)
    func open(_ url: URL) -> Bool

    func sendText(_ text: String, _ id: MessageID) async throws(ChatSendError)
    func sendButton(_ button: ChatScreenMessage.Button, _ id: MessageID) async throws(ChatSendError)
    func sendFile(_ file: ChatOutgoingFile, _ id: MessageID) async throws(ChatSendError)
    func bytes(
        of file: ChatScreenMessage.File, onProgress: @escaping @Sendable (ChatTransferProgress) -> Void
    ) async throws -> Data
    func picture(at address: String) async throws -> Data
}

/// A file that the user sends.
struct ChatOutgoingFile: Hashable, Sendable {
    var place: URL
    /// The name that the other side sees.
    var name: String
    /// The media type.
    var type: String
    /// The length of a voice message in milliseconds.
    var durationMilliseconds: Int64?
}

extension ChatScreen: ChatScreenActions {
    func sendText(_ text: String, _ id: MessageID) async throws(ChatSendError) { _ = try await send(text, id: id) }

    func sendButton(_ button: ChatScreenMessage.Button, _ id: MessageID) async throws(ChatSendError) {
        _ = try await press(button, id: id)
    }

    func sendFile(_ file: ChatOutgoingFile, _ id: MessageID) async throws(ChatSendError) {
        _ = try await attach(
            file.place, id: id, name: file.name, type: file.type, text: nil,
            durationMilliseconds: file.durationMilliseconds)
    }

    func bytes(
        of file: ChatScreenMessage.File, onProgress: @escaping @Sendable (ChatTransferProgress) -> Void
    ) async throws -> Data {
        try await contentsOffMain(of: try await download(file, onProgress: onProgress))
    }

    func picture(at address: String) async throws -> Data {
        try await contentsOffMain(of: try await download(reference: address))
    }

    /// Reads a downloaded file on a thread that may block.
    private func contentsOffMain(of copy: URL) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            DispatchQueue.global(qos: .userInitiated).async {
                continuation.resume(with: Result { try self.contents(of: copy) })
            }
        }
    }
}
