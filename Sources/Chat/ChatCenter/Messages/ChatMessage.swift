public import ChatCenterCore
// `CGPoint` is not in FoundationEssentials.
public import Foundation

#if canImport(UIKit)
public import UIKit
#endif

/// A message that the app sends on behalf of the user.
public enum ChatMessage: Sendable {
    /// The maximum number of characters in a text.
    public static let maximumTextLength = 4000

    /// A text of at most ``maximumTextLength`` characters.
    case text(String)
    #if canImport(UIKit)
    /// A picture, sent as JPEG.
    case image(UIImage)
    #else
    /// A picture as a file. Its bytes are sent unchanged, because this platform has no image codec.
    case image(ChatImage)
    #endif
    /// A place: `x` is the latitude, `y` the longitude. Sending the same place again is ignored.
    case location(CGPoint)
}

/// An accepted message: it is stored on disk, and will be sent or reported as failed.
public struct ChatReceipt: Sendable {
    /// The message's identifier, the same on both ends and after a restart.
    public let id: MessageID
    /// Reports what happens to the message. Reading it is optional.
    public let fate: ChatMessageFate
}

/// The progress of a file transfer.
public struct ChatTransferProgress: Hashable, Sendable {
    /// The number of bytes transferred so far.
    public var completed: Int64
    /// The total number of bytes, if known.
    public var total: Int64?

    /// The progress from 0 to 1; `nil` if the total is not known.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, Double(completed) / Double(total))
    }
}
