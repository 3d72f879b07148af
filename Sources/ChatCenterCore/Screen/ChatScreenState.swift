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
    /// Kept as the conversation itself, drawn on demand: a state is as cheap to make as to copy.
    var window: MessageWindow
    /// Messages of which a file is on its way.
    var uploading: [MessageID]

    /// The rows, oldest first.
    public var messages: [ChatScreenMessage] {
        window.messages.compactMap { $0.row(isUploading: uploading.contains($0.id)) }
    }
}
