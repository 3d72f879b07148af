/// A picture of the theme: a symbol of the system, a picture in the app's bundle, or the bytes of a file.
public struct ChatThemeImage: Hashable, Sendable {
    /// The place of a picture.
    public enum Source: Hashable, Sendable {
        /// A symbol of Apple's systems, such as `paperplane.fill`.
        case system(String)
        /// A picture in the app's main bundle. On the page, a picture of `ChatPagePictures`.
        case asset(String)
        /// The bytes of a PNG, JPEG, GIF or WebP file, and its media type.
        case file([UInt8], type: String)
    }

    /// The place of the picture.
    public var source: Source
    /// The color in which a symbol is drawn; `nil` for the color of its element.
    public var tintColor: ChatColor?

    /// Creates a picture.
    public init(_ source: Source, tintColor: ChatColor? = nil) {
        self.source = source
        self.tintColor = tintColor
    }

    /// Creates a picture from a symbol of Apple's systems.
    public init(system name: String, tintColor: ChatColor? = nil) {
        self.init(.system(name), tintColor: tintColor)
    }
}

/// The pictures of a theme, by their purpose. The page draws its own signs for pictures that it cannot show.
public struct ChatImages: Hashable, Sendable {
    /// The button that sends.
    public var send: ChatThemeImage
    /// The button that attaches a file.
    public var attach: ChatThemeImage
    /// The button that begins a voice message.
    public var record: ChatThemeImage
    /// The button that ends a voice message.
    public var stop: ChatThemeImage
    /// The button that plays a voice message.
    public var play: ChatThemeImage
    /// The button that pauses a voice message.
    public var pause: ChatThemeImage
    /// The button that opens the search.
    public var search: ChatThemeImage
    /// The button that closes a panel.
    public var close: ChatThemeImage
    /// The button that scrolls to the newest message.
    public var scrollToNewest: ChatThemeImage
    /// The button that sends a failed message again.
    public var retry: ChatThemeImage
    /// The sign of a file without a preview.
    public var file: ChatThemeImage
    /// The sign of an operator without a photo.
    public var avatar: ChatThemeImage
    /// The picture of an empty chat.
    public var emptyChat: ChatThemeImage

    /// Creates the pictures.
    public init(
        send: ChatThemeImage = ChatThemeImage(system: "paperplane.fill"),
        attach: ChatThemeImage = ChatThemeImage(system: "paperclip"),
        record: ChatThemeImage = ChatThemeImage(system: "mic.fill"),
        stop: ChatThemeImage = ChatThemeImage(system: "stop.fill"),
        play: ChatThemeImage = ChatThemeImage(system: "play.fill"),
        pause: ChatThemeImage = ChatThemeImage(system: "pause.fill"),
        search: ChatThemeImage = ChatThemeImage(system: "magnifyingglass"),
        close: ChatThemeImage = ChatThemeImage(system: "xmark"),
        scrollToNewest: ChatThemeImage = ChatThemeImage(system: "chevron.down"),
        retry: ChatThemeImage = ChatThemeImage(system: "arrow.clockwise"),
        file: ChatThemeImage = ChatThemeImage(system: "doc"),
        avatar: ChatThemeImage = ChatThemeImage(system: "person.crop.circle"),
        emptyChat: ChatThemeImage = ChatThemeImage(system: "bubble.left.and.bubble.right")
    ) {
        self.send = send
        self.attach = attach
        self.record = record
        self.stop = stop
        self.play = play
        self.pause = pause
        self.search = search
        self.close = close
        self.scrollToNewest = scrollToNewest
        self.retry = retry
        self.file = file
        self.avatar = avatar
        self.emptyChat = emptyChat
    }
}
