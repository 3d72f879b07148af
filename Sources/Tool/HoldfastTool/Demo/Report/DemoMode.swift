/// Which checks a step runs under. The words are those of docs/trust-matrix.md.
enum DemoMode: String, Hashable, Sendable, Encodable {
    /// A valid path to a trusted root, and a pin on it.
    case systemAndPins = "system + pins"
    /// The pinned keys in the place of the system verification: what the chat SDK does.
    case pinnedKeysOnly = "pinned keys only"
}
