import Synchronization

/// The person who chats.
///
/// A value with one shared part: ``updateData(data:)`` reaches the SDK through every copy of the user that was given to
/// `authorize`. A new `ChatUser` with the same identifier is another one, and the SDK does not see its updates.
public struct ChatUser: Sendable {
    /// Unique, stable and hard to guess. No telephone number or e-mail address in the clear.
    public let identifier: String
    /// The name that the operator sees.
    public let name: String?
    private let box: DataBox

    /// Describes a person.
    ///
    /// - Parameters:
    ///   - identifier: Unique, stable and hard to guess. An empty one is refused by `authorize`.
    ///   - name: The name that the operator sees.
    ///   - data: Free key-value pairs for the operator, such as `clientPhone` or `department`.
    public init(identifier: String, name: String? = nil, data: [String: String]? = nil) {
        self.identifier = identifier
        self.name = name
        self.box = DataBox(data)
    }

    /// The current key-value pairs.
    public var data: [String: String]? { box.value.withLock { $0 } }

    /// Replaces the key-value pairs; `nil` clears them.
    ///
    /// They are sent with the next client information: at once when the chat screen appears while the socket is up, else
    /// when the socket opens. They are not saved on disk, and their delivery is not promised. Called from any thread.
    public func updateData(data: [String: String]?) {
        box.value.withLock { $0 = data }
    }

    /// The part that copies of a user share.
    private final class DataBox: Sendable {
        let value: Mutex<[String: String]?>

        init(_ data: [String: String]?) {
            self.value = Mutex(data)
        }
    }
}
