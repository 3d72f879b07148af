public import ChatCenterCore
public import Foundation
import HoldfastTransport
import Synchronization

/// The chat screen without its rendering: a state for a view, and the user's actions.
///
/// Can be used from any thread. A screen no longer receives updates after a newer screen was created.
public final class ChatScreen: Sendable {
    let id: ScreenID
    let driver: ChatDriver
    let hub: ChatHub
    private let broadcast: Broadcast<ChatScreenState>
    private let last: Mutex<ChatScreenState>
    let themes: ChatAppearance.Themes

    init(
        id: ScreenID, driver: ChatDriver, hub: ChatHub, states: Broadcast<ChatScreenState>, state: ChatScreenState,
        themes: ChatAppearance.Themes
    ) {
        self.themes = themes
        self.id = id
        self.driver = driver
        self.hub = hub
        self.broadcast = states
        self.last = Mutex(state)
    }

    /// The state to render now.
    public var state: ChatScreenState {
        guard let current = driver.screenState(of: id) else { return last.withLock { $0 } }
        last.withLock { $0 = current }
        return current
    }

    /// A stream with the current state, then each newer one. Each call creates a new stream. The stream ends when a
    /// newer screen is created.
    public var states: ChatScreenStates { ChatScreenStates(broadcast.stream { state }) }

    // MARK: The screen

    /// Tells the SDK that the screen is visible. The socket opens, and visible messages count as read.
    public func viewDidAppear() {
        note("appeared")
        driver.screenAppeared(id)
    }

    /// Tells the SDK that the screen is no longer visible. The socket closes unless the settings keep it open.
    public func viewDidDisappear() { handle(.screenDisappeared(id), "disappeared") }

    /// Sets the text of the input field. The other side sees that the user is typing.
    public func typed(_ draft: String) { handle(.typed(draft), "typed \(draft.count) characters", secret: draft) }

    /// Fetches older messages. ``ChatScreenState/paging-swift.property`` shows the progress and the result.
    public func loadOlder() { handle(.loadOlder, "requests older messages") }

    // MARK: Replies

    /// Makes the next message a reply to the given one; `nil` removes the quote. ``ChatScreenInput/quote`` shows it.
    public func quote(_ message: MessageID?) {
        handle(.quote(message), message == nil ? "removes the quote" : "quotes a message")
    }

    /// Rates a question of a survey.
    ///
    /// From API version 21 on, all answers of a survey are sent together once each question has one, unless the survey
    /// asks for a comment. Before version 21, each answer is sent separately. `surveyCompletionDelay` delays the
    /// sending.
    public func rate(_ survey: ChatScreenSurvey.ID, question: Int64, rate: Int64) {
        handle(.rateSurvey(survey, question: question, rate: rate), "rates a question")
    }

    /// Sets the comment on a survey.
    public func comment(_ survey: ChatScreenSurvey.ID, _ text: String) {
        handle(.commentSurvey(survey, text), "comments on a survey", secret: text)
    }

    /// Completes a survey that asks for a comment.
    public func submit(_ survey: ChatScreenSurvey.ID) { handle(.submitSurvey(survey), "submits a survey") }

    /// Agrees to end the dialog.
    public func closeThread(_ request: ChatScreenSurvey.ID) {
        handle(.closeThread(request), "agrees to end the dialog")
    }

    /// Asks to continue the dialog.
    public func reopenThread(_ request: ChatScreenSurvey.ID) { handle(.reopenThread(request), "continues the dialog") }

    // MARK: Search

    /// Searches for a text; an empty text ends the search. ``ChatScreenState/search`` shows the results. They come from
    /// the server or, if it cannot be reached, from this device.
    public func search(_ text: String) { handle(.searchTyped(text), "searches", secret: text) }

    /// Fetches the next page of search results.
    public func searchMore() { handle(.searchMore, "requests more search results") }

    // MARK: Retry

    /// Fetches the configuration and the history again, after a banner reported that they are missing.
    public func reload() { handle(.reload, "retries loading") }

    /// Reports that the user tapped a link. Returns `true` if the app opened it; otherwise the caller must open it.
    ///
    /// The observer is called on the caller's thread. The delegate is called only if this is the main thread.
    public func open(_ url: URL) -> Bool {
        note("tapped a link", secret: url.absoluteString)
        return hub.asksApp(toOpen: url)
    }

    // MARK: Messages

    /// Sends a text. Blocks until the message is stored on disk; in an async context, the suspending variant is
    /// selected.
    ///
    /// - Throws: ``ChatSendError`` if the message is not accepted.
    @discardableResult
    public func send(_ text: String) throws(ChatSendError) -> ChatReceipt {
        note("sends \(text.count) characters", secret: text)
        return try driver.send(OutgoingMessage(text: text))
    }

    /// Sends a text. Suspends until the message is stored on disk, even if the task is cancelled.
    ///
    /// - Throws: ``ChatSendError`` if the message is not accepted.
    @discardableResult
    public func send(_ text: String) async throws(ChatSendError) -> ChatReceipt {
        note("sends \(text.count) characters", secret: text)
        return try await driver.send(OutgoingMessage(text: text))
    }

    /// Sends the text of a button under a message.
    @discardableResult
    public func press(_ button: ChatScreenMessage.Button) throws(ChatSendError) -> ChatReceipt {
        note("pressed a button", secret: button.text)
        return try driver.send(OutgoingMessage(pressing: button))
    }

    /// Sends a file, with or without a text. The file is copied before the call returns.
    ///
    /// - Parameters:
    ///   - file: A local file.
    ///   - name: The name that the other side sees; `nil` for the file's own name.
    ///   - type: The media type.
    ///   - text: A text to send with the file.
    ///   - onProgress: Called with the progress of the upload on the SDK's own queue. It must return quickly.
    /// - Throws: ``ChatSendError`` if the message is not accepted: the file cannot be read, it is too large, or the
    ///   server does not accept its type.
    @discardableResult
    public func attach(
        _ file: URL, name: String? = nil, type: String = "application/octet-stream", text: String? = nil,
        onProgress: (@Sendable (ChatTransferProgress) -> Void)? = nil
    ) throws(ChatSendError) -> ChatReceipt {
        note("attaches a file of type \(type)", secret: file.path)
        let copy = try driver.keep(
            ChatFileSource(bytes: .file(file), name: name ?? file.lastPathComponent, type: type))
        if let onProgress { hub.watch(copy.id, ChatHub.TransferWatch(progress: onProgress)) }
        do throws(ChatSendError) {
            return try driver.send(OutgoingMessage(text: text, files: [copy]))
        } catch {
            hub.stopWatching(copy.id)
            throw error
        }
    }

    /// Sends a file, with or without a text. Suspends until the file is copied and the message is stored on disk, even
    /// if the task is cancelled.
    ///
    /// - Parameters:
    ///   - file: A local file.
    ///   - name: The name that the other side sees; `nil` for the file's own name.
    ///   - type: The media type.
    ///   - text: A text to send with the file.
    ///   - onProgress: Called with the progress of the upload on the SDK's own queue. It must return quickly.
    /// - Throws: ``ChatSendError``, in the same cases as the blocking variant.
    @discardableResult
    public func attach(
        _ file: URL, name: String? = nil, type: String = "application/octet-stream", text: String? = nil,
        onProgress: (@Sendable (ChatTransferProgress) -> Void)? = nil
    ) async throws(ChatSendError) -> ChatReceipt {
        try await Blocking.run { [self] () throws(ChatSendError) in
            try attach(file, name: name, type: type, text: text, onProgress: onProgress)
        }
    }

    /// Downloads a file of a message, and returns the location of its copy. The copy is deleted when the user logs out.
    ///
    /// - Parameters:
    ///   - file: A file of ``ChatScreenMessage/files``.
    ///   - onProgress: Called with the progress on the SDK's own queue. It must return quickly.
    /// - Throws: ``ChatNetworkError``, or `CancellationError`.
    public func download(
        _ file: ChatScreenMessage.File, onProgress: (@Sendable (ChatTransferProgress) -> Void)? = nil
    ) async throws -> URL {
        guard let reference = file.reference else {
            throw FileTransferError(.invalidAddress, "The file is not in the file store yet.")
        }
        return try await download(reference: reference, onProgress: onProgress)
    }

    /// Downloads a file from the file store or from an absolute address.
    package func download(
        reference: String, onProgress: (@Sendable (ChatTransferProgress) -> Void)? = nil
    ) async throws -> URL {
        note("downloads a file", secret: reference)
        let answer = OneShot<RemoteFile>()
        let transfer = TransferID(driver.environment.identifier())
        hub.watch(
            transfer, ChatHub.TransferWatch(progress: onProgress, completion: { answer.fulfil($0) }))
        driver.handle(.download(transfer, reference: reference))
        do {
            return URL(fileURLWithPath: try await answer.value.reference)
        } catch {
            hub.stopWatching(transfer)
            driver.handle(.cancelTransfer(transfer))
            throw error
        }
    }

    /// Sends a failed message again, at the end of the queue. ``ChatCenterUISDK/events`` reports its state.
    public func retry(_ message: MessageID) { handle(.resend(message), "retries a failed message") }

    /// Deletes a message that failed or is still waiting. Its ``ChatReceipt/fate`` ends.
    public func delete(_ message: MessageID) {
        note("deletes a message")
        driver.discard(message)
    }

    /// Logs an action of the user, then handles it.
    func handle(_ event: ChatEvent, _ what: String, secret: String? = nil) {
        note(what, secret: secret)
        driver.handle(event)
    }

    /// Logs an action of the user. The line contains `secret` only if the log allows secrets.
    func note(_ what: String, secret: String? = nil) {
        let log = driver.log
        log.write(
            .userInterface,
            "screen \(id.number): \(what)" + (log.allowsSecrets ? secret.map { ": \($0)" } ?? "" : ""))
    }
}

extension ChatScreen {
    /// The files that the server accepts, for a file picker: the largest size and the types. For any other file,
    /// `attach(_:name:type:text:onProgress:)` throws ``ChatSendError`` with the same reason.
    public var attachmentLimits: ChatAttachmentLimits { driver.attachmentLimits }

    /// Returns the bytes of a file that ``download(_:onProgress:)`` has fetched. With ``ChatConfig/storageKey`` the
    /// copy on disk is encrypted, and this method decrypts it. Without a key, this is the same as reading the file.
    ///
    /// The whole file is loaded into memory. Blocks while the file is read.
    ///
    /// - Throws: ``ChatStorageError`` if the copy was modified, ``FileTransferError`` if there is no such copy.
    public func contents(of copy: URL) throws -> Data {
        guard let folder = driver.currentFolder else {
            throw FileTransferError(.unreadable, "Files cannot be read, because no user is authorized.")
        }
        let isOurs = copy.standardizedFileURL.deletingLastPathComponent().path == folder.files.standardizedFileURL.path
        guard isOurs, FileManager.default.fileExists(atPath: copy.path) else {
            throw FileTransferError(.unreadable, "\(copy.path) is not a file that the chat downloaded for this user.")
        }
        var reader = try SealedFileReader(copy, keys: folder.keys)
        var data = Data(capacity: Int(clamping: reader.length))
        while let piece = try reader.next() { data += piece }
        return data
    }
}
