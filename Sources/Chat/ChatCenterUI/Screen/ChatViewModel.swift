import ChatCenter
import ChatCenterCore
import Foundation
import Observation

/// The state of a chat view and the user's actions. The views only draw it.
@MainActor @Observable final class ChatViewModel {
    let options: ChatViewOptions
    let texts: ChatUITexts
    @ObservationIgnored let screen: any ChatScreenActions
    @ObservationIgnored let audio: any ChatAudio
    @ObservationIgnored private let current: @MainActor () -> ChatScreenState
    @ObservationIgnored let now: @Sendable () -> Int64
    @ObservationIgnored let newID: @Sendable () -> MessageID

    var draft = ChatDraft()
    /// The number of messages that the SDK is saving.
    private var saving = 0
    /// The reason why the last message or file was not accepted.
    var sendError: String?
    /// Whether the search is open.
    private(set) var isSearching = false
    var downloads = ChatDownloads()
    var playback = ChatVoicePlayback()
    var recording = ChatVoiceRecording()
    /// The copy of a file that a preview shows.
    var preview: URL?
    /// The number of messages that arrived below the visible part.
    private(set) var unseen = 0
    /// Whether the newest messages are visible.
    private(set) var isAtEnd = true

    private var visibility = ChatVisibility()
    @ObservationIgnored private var scroller = ChatScroller()
    @ObservationIgnored private var announcer = ChatAnnouncer()
    private(set) var marker = ChatUnreadMarker()
    @ObservationIgnored private var arranged: (key: TimelineKey, timeline: ChatTimeline)?
    @ObservationIgnored var pictures = ChatPictureCache<String, Data>(capacity: 16 << 20)
    @ObservationIgnored var exports: ChatFileExports
    @ObservationIgnored var downloadTasks: [ChatFileKey: Task<Void, Never>] = [:]

    /// The parts of the state on which the rows depend.
    private struct TimelineKey: Equatable {
        var revision: UInt64
        var surveys: [ChatScreenSurvey]
        var marker: ChatUnreadMarker
        var showsLinkPreviews: Bool
    }

    init(
        screen: any ChatScreenActions, state: @escaping @MainActor () -> ChatScreenState, texts: ChatUITexts,
        options: ChatViewOptions, audio: any ChatAudio, now: @escaping @Sendable () -> Int64,
        newID: @escaping @Sendable () -> MessageID
    ) {
        self.screen = screen
        self.texts = texts
        self.options = options
        self.audio = audio
        self.now = now
        self.newID = newID
        current = state
        exports = ChatFileExports(name: newID().text)
        draft.receive(state().input)
        marker.update(state().messages, isVisible: false)
    }

    /// The state of the screen.
    var state: ChatScreenState { current() }

    // MARK: What is drawn

    /// The rows, oldest first. They are arranged again only if they have changed.
    var rows: [ChatRow] {
        let state = state
        let key = TimelineKey(
            revision: state.revision, surveys: state.surveys, marker: marker,
            showsLinkPreviews: state.showsLinkPreviews)
        if let arranged, arranged.key == key, !arranged.timeline.hasUploads { return arranged.timeline.rows }
        let timeline = ChatTimeline(
            state.messages, surveys: state.surveys, unread: marker.first, format: texts.format)
        arranged = (key, timeline)
        return timeline.rows
    }

    /// The rows around a search result; `nil` if they are not open.
    var contextRows: [ChatRow]? {
        state.context.map { ChatTimeline($0.messages, surveys: [], unread: nil, format: texts.format).rows }
    }

    var title: String { texts.title(state.title) }
    /// The time until an operator answers, while the user waits.
    var subtitle: String? { state.averageWait.map(ChatPlainText.line) }
    var banners: [ChatBannerItem] { ChatBannerItem.items(state, texts) }
    /// The search; `nil` while it is closed or nothing was searched for.
    func search(now: Int64) -> ChatSearchItem? {
        isSearching ? state.search.map { ChatSearchItem($0, texts, now: now) } : nil
    }
    var composer: ChatComposerItem {
        ChatComposerItem(
            state.input, draft: draft.text, isSending: isSending, isRecording: recording.isRecording, texts)
    }

    /// The quick replies above the input field, if the theme places them there.
    func toolbar(_ mode: QuickReplyStyle.Mode) -> [ChatQuickReply] {
        guard mode == .toolbar, let last = rows.last(where: { !($0.message?.buttons.isEmpty ?? true) })?.message
        else { return [] }
        return last.buttons.enumerated().map { ChatQuickReply($1, at: $0) }
    }

    // MARK: What changes

    /// The view appeared.
    func appeared() {
        guard visibility.set(true) else { return }
        screen.viewDidAppear()
    }

    /// The view disappeared.
    func disappeared() {
        guard visibility.set(false) else { return }
        screen.viewDidDisappear()
        perform(recording.cancel())
        perform(playback.interrupted())
        marker.clear()
        closePreview()
    }

    /// What the view does after a change.
    struct Change: Hashable, Sendable {
        /// The row to scroll to.
        var scroll: ChatRow.ID?
        /// What VoiceOver says.
        var announcements: [String] = []
    }

    /// A newer state arrived.
    func stateChanged() -> Change {
        let state = state
        draft.receive(state.input)
        let messages = rows.compactMap(\.message)
        marker.update(messages, isVisible: visibility.isVisible)
        let scroll = scroller.target(
            messages, scroll: state.scroll, scrollsToLatest: state.scrollsToLatest, marker: marker.first,
            isAtEnd: isAtEnd)
        if unseen != scroller.unseen { unseen = scroller.unseen }
        // The SDK scrolls to a search result that is among the messages, instead of opening its surroundings.
        if scroll != nil, scroller.isRequested, isSearching, state.context == nil { toggleSearch() }
        let words = announcer.changes(messages, banners: banners, title: state.title, texts)
        return Change(scroll: scroll, announcements: visibility.isVisible ? words : [])
    }

    /// The list scrolled; `isAtEnd` says whether the newest messages are visible.
    func scrolled(isAtEnd: Bool) {
        if self.isAtEnd != isAtEnd { self.isAtEnd = isAtEnd }
        guard isAtEnd else { return }
        scroller.reachedEnd()
        if unseen != 0 { unseen = 0 }
    }

    /// The oldest row became visible.
    func reachedBeginning() {
        if state.paging == .idle { screen.loadOlder() }
    }

    /// Returns the row of the newest message.
    func newestRow() -> ChatRow.ID? { rows.last?.id }

    // MARK: Writing

    /// The user changed the text.
    func edit(_ text: String) {
        if let typed = draft.edit(text, maximum: state.input.maximumLength) { screen.typed(typed) }
    }

    /// Sends the text in the field. The field becomes empty when the message is on disk.
    func send() async {
        guard composer.canSend else { return }
        let text = draft.text
        await accept { [screen, id = newID()] () async throws(ChatSendError) in
            try await screen.sendText(text, id)
        } then: {
            draft.sent(text)
            if !draft.text.isEmpty { screen.typed(draft.text) }
        }
    }

    /// Presses a button under a message. The view opens the address of a button that has one.
    func press(_ reply: ChatQuickReply) async {
        guard !isSending else { return }
        await accept { [screen, id = newID()] () async throws(ChatSendError) in
            try await screen.sendButton(reply.button, id)
        } then: {
        }
    }

    /// Sends a file, or shows why the server would refuse it.
    func attach(_ file: ChatOutgoingFile, size: Int64?) async {
        if let refusal = screen.attachmentLimits.refusal(ofFileNamed: file.name, size: size) {
            sendError = texts.refusal(refusal)
            return
        }
        await accept { [screen, id = newID()] () async throws(ChatSendError) in
            try await screen.sendFile(file, id)
        } then: {
        }
    }

    /// Whether the SDK is saving a message. Buttons are disabled meanwhile, so that a second tap sends nothing.
    var isSending: Bool { saving > 0 }

    /// Hands a message to the SDK, and shows the reason if it is not accepted.
    private func accept(
        _ action: () async throws(ChatSendError) -> Void, then accepted: () -> Void
    ) async {
        saving += 1
        defer { saving -= 1 }
        do throws(ChatSendError) {
            try await action()
            sendError = nil
            marker.clear()
            accepted()
        } catch {
            sendError = texts.sendError(error)
        }
    }

    // MARK: Search

    /// Opens or closes the search.
    func toggleSearch() {
        isSearching.toggle()
        if !isSearching {
            screen.search("")
            screen.closeContext()
        }
    }

    /// The rows around a search result are shown.
    func jump(to message: MessageID) { screen.showContext(of: message) }
}

extension ChatViewModel {
    /// Creates a view model that follows a screen.
    convenience init(_ screen: ChatScreen, _ options: ChatViewOptions, audio: any ChatAudio) {
        let model = ChatScreenModel(screen)
        self.init(
            screen: screen, state: { model.state }, texts: ChatUITexts(screen, options), options: options,
            audio: audio, now: { Int64(Date().timeIntervalSince1970 * 1000) },
            newID: { MessageID(UUID().uuidString.lowercased()) })
    }

    /// The parts of the state after whose changes the view scrolls or speaks.
    struct Observed: Equatable {
        var revision: UInt64
        var scroll: ChatScreenScroll
        var banners: [ChatBanner]
        var title: ChatScreenTitle
        var draft: String
    }

    var observed: Observed {
        let state = state
        return Observed(
            revision: state.revision, scroll: state.scroll, banners: state.banners, title: state.title,
            draft: state.input.text)
    }

    /// The number of messages below the visible part for VoiceOver.
    var unseenSpoken: String { unseen == 0 ? "" : texts(.chatUnread, count: unseen) }
}
