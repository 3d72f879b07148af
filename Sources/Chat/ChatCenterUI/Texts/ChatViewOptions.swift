public import Foundation

/// The settings of a chat view that do not come from the server.
///
/// `ChatScreen` has the texts, the theme and the rules of the server. On Apple platforms, `ChatView` and
/// `ChatViewController` take these options in addition.
public struct ChatViewOptions: Hashable, Sendable {
    /// Whether the view shows the title of the chat and the search button. Set it to `false` if the app shows the
    /// title itself.
    public var showsTitle: Bool
    /// Whether the view shows the line that describes how the connections are protected.
    public var showsSecurity: Bool
    /// Whether pictures in messages are downloaded and shown without a tap, up to ``largestPicture`` bytes.
    public var showsPictures: Bool
    /// The size of the largest picture that is downloaded without a tap, in bytes.
    public var largestPicture: Int64
    /// Whether the photos of operators and the pictures of buttons are downloaded and shown.
    public var showsPhotos: Bool
    /// The longest voice message that can be recorded, in milliseconds.
    public var longestRecording: Int64
    /// The locale of dates, times and sizes; `nil` for the language of the chat's texts.
    public var locale: Locale?
    /// The time zone of dates and times.
    public var timeZone: TimeZone

    /// Creates options with the default values.
    public init() {
        showsTitle = true
        showsSecurity = true
        showsPictures = true
        largestPicture = 5 << 20
        showsPhotos = true
        longestRecording = 300_000
        locale = nil
        timeZone = .current
    }
}
