/// Something that a script may wait for.
struct Happening: Hashable, Sendable {
    var kind: ScriptTrigger.Kind
    var names: [String] = []
    var text: String?
    var clientID: String?
    var connection: ConnectionID?
}
