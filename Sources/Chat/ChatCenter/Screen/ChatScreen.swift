public import ChatCenterCore
public import Foundation
import HoldfastTransport
import Synchronization

/// The chat screen without its drawing: a state that a view renders, and what the user does with it.
///
/// It may be used from any thread. A screen is deaf once a newer one was asked for.
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

    /// What is to be drawn now.
    public var state: ChatScreenState {
        guard let current = driver.screenState(of: id) else { return last.withLock { $0 } }
        last.withLock { $0 = current }
        return current
    }

    /// The current state, then each newer one. Each call makes a stream of its own. It ends when another screen takes
    /// the place of this one.
    public var states: ChatScreenStates { ChatScreenStates(broadcast.stream { state }) }

    // MARK: The screen

    /// The screen is in front of the user: the socket opens, what is seen counts as read.
    public func viewDidAppear() {
        note("appeared")
        driver.screenAppeared(id)
    }

    /// The screen is gone: the socket closes, unless the settings keep it.
    public func viewDidDisappear() {
        note("disappeared")
        driver.handle(.screenDisappeared(id))
    }

    /// The text in the input field changed: the other side sees that the user types.
    public func typed(_ draft: String) {
        note("typed \(draft.count) characters", secret: draft)
        driver.handle(.typed(draft))
    }

    /// Fetches older messages. What comes of it is in ``ChatScreenState/paging-swift.property``.
    public func loadOlder() {
        note("wants older messages")
        driver.handle(.loadOlder)
    }

    // MARK: Answers

    /// The next message answers to this one; `nil` takes that back. ``ChatScreenInput/quote`` shows it.
    public func quote(_ message: MessageID?) {
        note(message == nil ? "quotes nothing" : "quotes a message")
        driver.handle(.quote(message))
    }

    /// The user chose a rating. From API version 21 on the answers go together once all questions have one, unless a
    /// comment is asked for; before, each goes by itself. `surveyCompletionDelay` holds them back.
    public func rate(_ survey: ChatScreenSurvey.ID, question: Int64, rate: Int64) {
        note("rates a question")
        driver.handle(.rateSurvey(survey, question: question, rate: rate))
    }

    /// The user typed a comment on a survey.
    public func comment(_ survey: ChatScreenSurvey.ID, _ text: String) {
        note("comments on a survey", secret: text)
        driver.handle(.commentSurvey(survey, text))
    }

    /// The user is done with a survey that asks for a comment.
    public func submit(_ survey: ChatScreenSurvey.ID) {
        note("is done with a survey")
        driver.handle(.submitSurvey(survey))
    }

    /// The user agrees that the dialog ends.
    public func closeThread(_ request: ChatScreenSurvey.ID) {
        note("lets the dialog end")
        driver.handle(.closeThread(request))
    }

    /// The user wants the dialog to go on.
    public func reopenThread(_ request: ChatScreenSurvey.ID) {
        note("wants the dialog to go on")
        driver.handle(.reopenThread(request))
    }

    // MARK: Search

    /// The text of the search field; an empty one ends the search. ``ChatScreenState/search`` shows what is found, on the
    /// server or, without it, on this device.
    public func search(_ text: String) {
        note("searches", secret: text)
        driver.handle(.searchTyped(text))
    }

    /// Fetches the next page of what was found.
    public func searchMore() {
        note("wants more of what was found")
        driver.handle(.searchMore)
    }

    // MARK: Again

    /// Tries the configuration and the history again, after a banner said that they are missing.
    public func reload() {
        note("wants to try again")
        driver.handle(.reload)
    }

    /// The user tapped a link. `true` if the app opened it; the caller opens it otherwise.
    ///
    /// The observer is asked on the caller's thread. The delegate is asked if that is the main thread.
    public func open(_ url: URL) -> Bool {
        note("tapped a link", secret: url.absoluteString)
        return hub.asksApp(toOpen: url)
    }

    // MARK: Messages

    /// Sends a text. Blocks until the message is on the disk; in an async context the variant that suspends is taken.
    ///
    /// - Throws: ``ChatSendError`` for a message that was not taken.
    @discardableResult
    public func send(_ text: String) throws(ChatSendError) -> ChatReceipt {
        note("sends \(text.count) characters", secret: text)
        return try driver.send(OutgoingMessage(text: text))
    }

    /// Sends a text. Suspends until the message is on the disk; a cancellation of the task changes nothing.
    ///
    /// - Throws: ``ChatSendError`` for a message that was not taken.
    @discardableResult
    public func send(_ text: String) async throws(ChatSendError) -> ChatReceipt {
        note("sends \(text.count) characters", secret: text)
        return try await driver.send(OutgoingMessage(text: text))
    }

    /// Sends what a button under a message says.
    @discardableResult
    public func press(_ button: ChatScreenMessage.Button) throws(ChatSendError) -> ChatReceipt {
        note("pressed a button", secret: button.text)
        return try driver.send(OutgoingMessage(pressing: button))
    }

    /// Sends a file, with or without a text. The file is copied before the call returns.
    ///
    /// - Parameters:
    ///   - file: A local file.
    ///   - name: The name that the other side sees; `nil` for the file's own.
    ///   - type: The media type.
    ///   - text: A text that goes with it.
    ///   - onProgress: Called with the progress of the upload, on the SDK's own queue: it must return quickly.
    /// - Throws: ``ChatSendError`` for a message that was not taken: the file cannot be read, it is too large, or the
    ///   server does not take its type.
    @discardableResult
    public func attach(
        _ file: URL, name: String? = nil, type: String = "application/octet-stream", text: String? = nil,
        onProgress: (@Sendable (ChatTransferProgress) -> Void)? = nil
    ) throws(ChatSendError) -> ChatReceipt {
        note("attaches a file of the type \(type)", secret: file.path)
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

    /// Sends a file, with or without a text. Suspends until the file is copied and the message is on the disk; a cancellation
    /// of the task changes nothing.
    ///
    /// - Parameters:
    ///   - file: A local file.
    ///   - name: The name that the other side sees; `nil` for the file's own.
    ///   - type: The media type.
    ///   - text: A text that goes with it.
    ///   - onProgress: Called with the progress of the upload, on the SDK's own queue: it must return quickly.
    /// - Throws: ``ChatSendError`` as the variant that blocks.
    @discardableResult
    public func attach(
        _ file: URL, name: String? = nil, type: String = "application/octet-stream", text: String? = nil,
        onProgress: (@Sendable (ChatTransferProgress) -> Void)? = nil
    ) async throws(ChatSendError) -> ChatReceipt {
        try await Blocking.run { [self] () throws(ChatSendError) in
            try attach(file, name: name, type: type, text: text, onProgress: onProgress)
        }
    }

    /// Fetches a file of a message, and returns where its copy lies. The copy goes with the user.
    ///
    /// - Parameters:
    ///   - file: A file of ``ChatScreenMessage/files``.
    ///   - onProgress: Called with the progress, on the SDK's own queue: it must return quickly.
    /// - Throws: ``ChatNetworkError``, or `CancellationError`.
    public func download(
        _ file: ChatScreenMessage.File, onProgress: (@Sendable (ChatTransferProgress) -> Void)? = nil
    ) async throws -> URL {
        guard let reference = file.reference else {
            throw FileTransferError(.invalidAddress, "The file is not in the file store yet.")
        }
        return try await download(reference: reference, onProgress: onProgress)
    }

    /// Fetches a file of the file store, or from an absolute address.
    func download(
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

    /// Puts a failed message at the end of the queue. ``ChatCenterUISDK/events`` tells what becomes of it.
    public func retry(_ message: MessageID) {
        note("sends a failed message again")
        driver.handle(.resend(message))
    }

    /// Forgets a message that failed or still waits. Its ``ChatReceipt/fate`` ends.
    public func delete(_ message: MessageID) {
        note("deletes a message")
        driver.discard(message)
    }

    /// A line about what the user did; `secret` is in it only where secrets are allowed.
    func note(_ what: String, secret: String? = nil) {
        let log = driver.log
        log.write(
            .userInterface,
            "screen \(id.number): \(what)" + (log.allowsSecrets ? secret.map { ": \($0)" } ?? "" : ""))
    }
}

extension ChatScreen {
    /// The look that was set when this screen was made.
    public var theme: ChatTheme { themes.light }

    /// The look for a dark system that was set when this screen was made.
    public var darkTheme: ChatTheme { themes.dark }

    /// A text for the user: the app's, where its table has the key, else the built-in one.
    public func text(_ key: ChatTextKey) -> String {
        let config = ChatAppearance.localizationConfig
        if let text = config?.text(for: key.rawValue) { return text }
        return key.builtIn(russian: (config?.locale ?? .current).identifier.hasPrefix("ru"))
    }
}

extension ChatScreen {
    /// What the server takes as a file: the largest size and the types, for a file picker. ``attach(_:name:type:text:onProgress:)``
    /// throws ``ChatSendError`` with the same reason for a file beyond it.
    public var attachmentLimits: ChatAttachmentLimits { driver.attachmentLimits }

    /// The bytes of a file that ``download(_:onProgress:)`` fetched. With ``ChatConfig/storageKey`` the copy on the disk is
    /// sealed, and this opens it; without, it is the same as reading the file.
    ///
    /// The whole file is in memory then. Blocks while it is read.
    ///
    /// - Throws: ``ChatStorageError`` where the copy is not what was written, ``FileTransferError`` where there is none.
    public func contents(of copy: URL) throws -> Data {
        guard let folder = driver.currentFolder else {
            throw FileTransferError(.unreadable, "Nobody is authorised: there are no files.")
        }
        let isOurs = copy.standardizedFileURL.deletingLastPathComponent().path == folder.files.standardizedFileURL.path
        guard isOurs, FileManager.default.fileExists(atPath: copy.path) else {
            throw FileTransferError(.unreadable, "\(copy.path) is no file that the chat fetched for this user.")
        }
        var reader = try SealedFileReader(copy, keys: folder.keys)
        var data = Data(capacity: Int(clamping: reader.length))
        while let piece = try reader.next() { data += piece }
        return data
    }
}
