import HoldfastTrust

/// The members of an object in a script. Records which of them were read.
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

    /// Returns the path of a member in the document.
    func path(of key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

    /// The members that were not read.
    var unknown: [JSONNode.Member] { members.filter { !asked.contains($0.key) } }

    /// Returns all members and marks them as read.
    mutating func takeAll() -> [JSONNode.Member] {
        asked.formUnion(members.map(\.key))
        return members
    }
}
