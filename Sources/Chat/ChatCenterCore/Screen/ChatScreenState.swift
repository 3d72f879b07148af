/// The state of the chat screen, as a value. A view draws it, and a test compares it.
public struct ChatScreenState: Hashable, Sendable {
    /// The state of loading older messages.
    public enum Paging: Hashable, Sendable {
        /// There are older messages; `loadOlder` loads them.
        case idle
        /// Older messages are being loaded.
        case loading
        /// The conversation begins here.
        case atBeginning
        /// Older messages could not be loaded; `loadOlder` retries.
        case failed(TransportFailure)
    }

    /// The title of the screen.
    public internal(set) var title: ChatScreenTitle
    /// The state of the connection.
    public internal(set) var connection: ChatConnectionState
    /// The input field.
    public internal(set) var input: ChatScreenInput
    /// The banners, most urgent first.
    public internal(set) var banners: [ChatBanner]
    /// The state of loading older messages.
    public internal(set) var paging: Paging
    /// The number of unread messages from the company.
    public internal(set) var unreadCount: Int
    /// Whether the screen is visible to the user.
    public internal(set) var isVisible: Bool
    /// Whether the view scrolls to the newest message when one arrives and when the screen appears again.
    public internal(set) var scrollsToLatest: Bool
    /// Whether the history can be searched.
    public internal(set) var showsSearch: Bool
    /// Whether links are shown with a preview.
    public internal(set) var showsLinkPreviews: Bool
    /// A counter that increases with every change of the rows. The rows need no redraw while it stays the same.
    public internal(set) var revision: UInt64
    /// The request to scroll to a message.
    public internal(set) var scroll: ChatScreenScroll
    /// The current search, if there is one.
    public internal(set) var search: ChatScreenSearch?
    /// Surveys that can be answered or were just answered.
    public internal(set) var surveys: [ChatScreenSurvey]
    /// The average time until an operator answers, in the server's words, while the client waits for one.
    public internal(set) var averageWait: String?
    /// The rows that are no longer shown: expired surveys and answered requests.
    var hidden: [MessageID]
    /// The message whose quick replies can be pressed.
    var answerable: MessageID?
    /// The progress of uploads.
    var uploads: [UploadProgress]
    /// The conversation. Rows are created on demand, so that creating a state is as cheap as copying it.
    var window: MessageWindow
    /// Messages with a file that is being uploaded.
    var uploading: [MessageID]

    /// The rows, oldest first.
    public var messages: [ChatScreenMessage] {
        window.messages.compactMap { hidden.contains($0.id) ? nil : row($0) }
    }

    /// Returns the rows by day.
    ///
    /// - Parameter secondsFromGMT: The offset of the user's time zone.
    public func sections(secondsFromGMT: Int = 0) -> [ChatScreenSection] {
        ChatScreenSection.sections(of: messages, secondsFromGMT: secondsFromGMT)
    }

    /// Returns one row without creating the others; `nil` if the message is hidden or unknown.
    public func message(_ id: MessageID) -> ChatScreenMessage? {
        hidden.contains(id) ? nil : window[id].flatMap(row)
    }

    private func row(_ message: StoredMessage) -> ChatScreenMessage? {
        var row = message.row(isUploading: uploading.contains(message.id))
        if message.id != answerable { row?.buttons = [] }
        if showsLinkPreviews { row?.previewLink = message.previewLink }
        for upload in uploads where upload.message == message.id {
            row?.note(upload)
        }
        return row
    }
}
