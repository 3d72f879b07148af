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
