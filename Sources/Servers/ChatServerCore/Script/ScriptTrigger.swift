/// What starts a step of a script: an event, and what must be true of it.
package struct ScriptTrigger: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The script was loaded.
        case start
        /// Somebody asks for a socket. Faults that are planned now meet this upgrade.
        case upgrade
        /// A frame came. Faults that are planned now meet this frame.
        case frame
        /// A call came over HTTP. Faults that are planned now meet this call.
        case call
        /// A device has registered.
        case registered
        /// A client's handshake is complete.
        case ready
        /// A client's message was kept for the first time.
        case message
        /// A client is typing.
        case typing
        /// A client has answered a question of a survey, or a whole one.
        case surveyAnswer
        case threadOpened
        case threadClosed
        /// A socket has ended, whoever ended it.
        case disconnected

        /// Whether it is looked at before what it is about takes effect.
        var comesFirst: Bool { self == .upgrade || self == .frame || self == .call }
    }

    package var kind: Kind
    /// For a frame its action or the type of its content, for a call its name.
    package var name: String?
    /// What the text of a message must hold, whatever its case.
    package var text: String?
    /// Whose event it must be.
    package var clientID: String?
    /// The step happens at every so-manieth event that fits.
    package var count: Int

    package init(
        _ kind: Kind, name: String? = nil, text: String? = nil, clientID: String? = nil, count: Int = 1
    ) {
        self.kind = kind
        self.name = name
        self.text = text
        self.clientID = clientID
        self.count = max(1, count)
    }

    func fits(_ happening: ScriptEvent) -> Bool {
        guard happening.kind == kind else { return false }
        if let name, !happening.names.contains(name) { return false }
        if let clientID, happening.clientID != clientID { return false }
        if let text, happening.text?.lowercased().contains(text.lowercased()) != true { return false }
        return true
    }
}
