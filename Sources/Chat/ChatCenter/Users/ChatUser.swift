import Synchronization

/// The user of the chat.
///
/// A value type with one shared part: ``updateData(data:)`` reaches the SDK through every copy of the user that was
/// passed to `authorize`. A new `ChatUser` with the same identifier does not share it, so the SDK does not see its
/// updates.
public struct ChatUser: Sendable {
    /// A unique, stable identifier that is hard to guess. Do not use an unencrypted telephone number or e-mail address.
    public let identifier: String
    /// The name that the operator sees.
    public let name: String?
    private let box: DataBox

    /// Creates a user.
    ///
    /// - Parameters:
    ///   - identifier: A unique, stable identifier that is hard to guess. `authorize` refuses an empty one.
    ///   - name: The name that the operator sees.
    ///   - data: Key-value pairs for the operator, such as `clientPhone` or `department`.
    public init(identifier: String, name: String? = nil, data: [String: String]? = nil) {
        self.identifier = identifier
        self.name = name
        self.box = DataBox(data)
    }

    /// The current key-value pairs.
    public var data: [String: String]? { box.value.withLock { $0 } }

    /// Replaces the key-value pairs; `nil` clears them.
    ///
    /// They are sent with the next client information: immediately if the chat screen appears while the socket is open,
    /// otherwise when the socket opens. They are not stored on disk, and delivery is not guaranteed. Can be called from
    /// any thread.
    public func updateData(data: [String: String]?) {
        box.value.withLock { $0 = data }
    }

    /// The storage that copies of a user share.
    private final class DataBox: Sendable {
        let value: Mutex<[String: String]?>

        init(_ data: [String: String]?) {
            self.value = Mutex(data)
        }
    }
}
