import HoldfastTrust

/// The members of one object of a script, and which of them were asked for.
struct ScriptFields {
    let node: JSONNode
    let path: String
    private let members: [JSONNode.Member]
    private var asked: Set<String> = []

    init(_ node: JSONNode, path: String) {
        self.node = node
        self.path = path
        if case .object(let members) = node.value { self.members = members } else { members = [] }
    }

    subscript(key: String) -> JSONNode? {
        mutating get {
            asked.insert(key)
            return members.first { $0.key == key }?.value
        }
    }

    /// Where a member stands in the document.
    func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// The members that nobody asked for.
    var unknown: [JSONNode.Member] { members.filter { !asked.contains($0.key) } }

    /// All members, each asked for.
    mutating func takeAll() -> [JSONNode.Member] {
        asked.formUnion(members.map(\.key))
        return members
    }
}
