/// The chat screen as a value. A view draws it, a test compares it.
public struct ChatScreenState: Hashable, Sendable {
    /// How loading of older messages stands.
    public enum Paging: Hashable, Sendable {
        /// There is more, `loadOlder` fetches it.
        case idle
        /// Older messages are on their way.
        case loading
        /// The conversation begins here.
        case atBeginning
        /// It could not be loaded; `loadOlder` tries again.
        case failed(TransportFailure)
    }

    /// What the title says.
    public internal(set) var title: ChatScreenTitle
    /// The connection.
    public internal(set) var connection: ChatConnectionState
    /// The input field.
    public internal(set) var input: ChatScreenInput
    /// The most pressing first.
    public internal(set) var banners: [ChatBanner]
    /// How loading of older messages stands.
    public internal(set) var paging: Paging
    /// Messages of the other side that nobody has read.
    public internal(set) var unreadCount: Int
    /// The screen is in front of the user.
    public internal(set) var isVisible: Bool
    /// Jump to the newest message when one arrives and when the screen comes back.
    public internal(set) var scrollsToLatest: Bool
    /// The history can be searched.
    public internal(set) var showsSearch: Bool
    /// Links are shown with a preview.
    public internal(set) var showsLinkPreviews: Bool
    /// Counts the changes to the rows: nothing has to be drawn anew while it stays.
    public internal(set) var revision: UInt64
    /// A wish to bring a message into view.
    public internal(set) var scroll: ChatScreenScroll
    /// The search, while there is one.
    public internal(set) var search: ChatScreenSearch?
    /// Surveys that can be answered or were answered just now.
    public internal(set) var surveys: [ChatScreenSurvey]
    /// How long it takes on average until an operator answers, in the server's words, while one is waited for.
    public internal(set) var averageWait: String?
    /// Rows that are not shown any more: surveys whose time is over, answered questions.
    var hidden: [MessageID]
    /// The message whose quick replies can be pressed.
    var answerable: MessageID?
    /// Bytes of files on their way up.
    var uploads: [UploadProgress]
    /// Kept as the conversation itself, drawn on demand: a state is as cheap to make as to copy.
    var window: MessageWindow
    /// Messages of which a file is on its way.
    var uploading: [MessageID]

    /// The rows, oldest first.
    public var messages: [ChatScreenMessage] {
        window.messages.compactMap { hidden.contains($0.id) ? nil : row($0) }
    }

    /// The rows by day. A view passes the offset of the user's time zone.
    public func sections(secondsFromGMT: Int = 0) -> [ChatScreenSection] {
        ChatScreenSection.sections(of: messages, secondsFromGMT: secondsFromGMT)
    }

    /// One row, without drawing the others.
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
