import ChatCenter
import ChatCenterCore
import ChatPage
import Foundation

/// The visitor's actions, as calls of the screen.
extension VisitorSession {
    /// Performs an intent.
    ///
    /// - Parameter client: The page's id; `nil` for a form of a page without JavaScript.
    func perform(_ intent: PageIntent, from client: String?) async -> PageAnswer {
        switch intent {
        case .send(let id, let text):
            return await accepted { () async throws(ChatSendError) in try await screen.send(text, id: id) }
        case .press(let id, let message, let index):
            guard let buttons = row(message)?.buttons, buttons.indices.contains(index) else {
                return .refused(code: "unknownButton", text: ChatTextKey.serverUnknownButton.currentText)
            }
            return await accepted { () async throws(ChatSendError) in try await screen.press(buttons[index], id: id) }
        case .appeared: client.map { setVisible(true, $0) }
        case .disappeared:
            client.map { setVisible(false, $0) }
            // A page that disappears may never come back, so that the answer means that its draft is stored.
            await screen.settle()
        case .opened(let text):
            guard let url = URL(string: text), ["http", "https"].contains(url.scheme?.lowercased()) else {
                return .refused(code: "invalidLink", text: ChatTextKey.serverInvalidLink.currentText)
            }
            _ = screen.open(url)
        case .cancelUpload(let message):
            // The server may not have received the whole file yet. `attach` refuses it then.
            if cancelled.count >= Self.cancelledLimit { cancelled.removeFirst() }
            cancelled.append(message)
            screen.delete(message)
        default: handle(intent)
        }
        return .done
    }

    /// Performs the intent of a form of a page without JavaScript. The next page shows the reason of a refusal, with a
    /// new identifier in its forms. A text that was not sent is in its input field.
    func performForm(_ intent: PageIntent) async {
        guard case .refused(let code, let reason) = await perform(intent, from: nil) else { return }
        setNotice(code == Self.usedIdentifier ? Self.usedForm : reason)
        guard case .send(_, let text) = intent, !text.allSatisfy(\.isWhitespace) else { return }
        screen.typed(text)
        await screen.settle()
    }

    /// The code of a message whose identifier belongs to another message.
    private static let usedIdentifier = "\(ChatCenterUISendMessageError.messageIdentifierInUse)"
    /// The sentence for a form that was sent again with different content, for example after *Back*.
    private static var usedForm: String { ChatTextKey.serverUsedForm.currentText }

    /// Performs an intent whose result only the screen shows.
    private nonisolated func handle(_ intent: PageIntent) {
        switch intent {
        case .retry(let message): screen.retry(message)
        case .delete(let message): screen.delete(message)
        case .typed(let text): screen.typed(text)
        case .quote(let message): screen.quote(message)
        case .loadOlder: screen.loadOlder()
        case .rate(let survey, let question, let rate): screen.rate(survey, question: question, rate: rate)
        case .comment(let survey, let text): screen.comment(survey, text)
        case .submit(let survey): screen.submit(survey)
        case .closeThread(let request): screen.closeThread(request)
        case .reopenThread(let request): screen.reopenThread(request)
        case .search(let text): screen.search(text)
        case .searchMore: screen.searchMore()
        case .showContext(let message): screen.showContext(of: message)
        case .loadOlderContext: screen.loadOlderContext()
        case .loadNewerContext: screen.loadNewerContext()
        case .closeContext: screen.closeContext()
        case .reload: screen.reload()
        case .send, .press, .appeared, .disappeared, .opened, .cancelUpload: break
        }
    }

    /// Sends a file that the server has received, unless its upload was cancelled. The file is copied before the call
    /// returns.
    func attach(
        _ file: URL, id: MessageID, name: String, type: String, text: String?, durationMilliseconds: Int64?
    ) async -> PageAnswer {
        let refusal = PageAnswer.refused(code: "cancelled", text: ChatTextKey.serverUploadCancelled.currentText)
        guard !cancelled.contains(id) else { return refusal }
        let answer = await accepted { () async throws(ChatSendError) in
            try await screen.attach(
                file, id: id, name: name, type: type, text: text, durationMilliseconds: durationMilliseconds)
        }
        guard cancelled.contains(id) else { return answer }
        // The visitor has cancelled while the file was copied.
        screen.delete(id)
        return refusal
    }

    private func accepted(
        _ send: () async throws(ChatSendError) -> ChatReceipt
    ) async -> PageAnswer {
        do throws(ChatSendError) {
            return .accepted(message: try await send().id)
        } catch {
            return .refused(code: "\(error.code)", text: error.reason)
        }
    }

    // MARK: Rows

    /// Returns a row that the page can show: of the conversation, of the surroundings of a hit, or of the search.
    nonisolated func row(_ message: MessageID) -> ChatScreenMessage? {
        let state = screen.state
        return state.message(message) ?? state.context?.messages.first { $0.id == message }
            ?? state.search?.results.first { $0.id == message }
    }
}
