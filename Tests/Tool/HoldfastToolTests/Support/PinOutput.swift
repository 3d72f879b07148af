/// The output of `holdfast pin --json`.
struct PinOutput: Decodable {
    var source: String
    var system: String?
    var keys: [PinnedKey]
    var unreadable: [String]?
}
