import Foundation

/// A file that is to be attached.
struct ChatFileSource: Sendable {
    enum Bytes: Sendable {
        case data(Data)
        case file(URL)
    }

    var bytes: Bytes
    /// The name that the other side sees.
    var name: String
    /// The media type.
    var type: String
}
