/// What `holdfast pin --json` prints.
struct PinOutput: Decodable {
    var source: String
    var system: String?
    var keys: [PinnedKey]
    var unreadable: [String]?
}
