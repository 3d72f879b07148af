public import ChatCenterCore
// `CGPoint` is not in FoundationEssentials.
public import Foundation

#if canImport(UIKit)
public import UIKit
#endif

/// A message that the app sends in the user's name.
public enum ChatMessage: Sendable {
    /// The most characters that a text may have.
    public static let maximumTextLength = 4000

    /// A text of at most ``maximumTextLength`` characters.
    case text(String)
    #if canImport(UIKit)
    /// A picture, sent as JPEG.
    case image(UIImage)
    #else
    /// A picture as a file. There is no picture codec here: its bytes are sent as they are.
    case image(ChatImage)
    #endif
    /// A place: `x` is the latitude, `y` the longitude. The same place sent again is ignored.
    case location(CGPoint)
}

/// A message that was taken: it is on the disk, and will be sent or visibly fail.
public struct ChatReceipt: Sendable {
    /// The message's identity, the same on both ends and after a restart.
    public let id: MessageID
    /// What becomes of it. May be left unread.
    public let fate: ChatMessageFate
}

/// How far a file has come.
public struct ChatTransferProgress: Hashable, Sendable {
    /// Bytes so far.
    public var completed: Int64
    /// Bytes in all, where that is known.
    public var total: Int64?

    /// From 0 to 1; `nil` while the total is not known.
    public var fraction: Double? {
        guard let total, total > 0 else { return nil }
        return min(1, Double(completed) / Double(total))
    }
}
