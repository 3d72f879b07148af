/// The trigger of a step: an event and its conditions.
package struct ScriptTrigger: Hashable, Sendable {
    package enum Kind: String, Hashable, Sendable, CaseIterable {
        /// The script was loaded.
        case start
        /// A socket is requested. Faults that are planned now apply to this upgrade.
        case upgrade
        /// A frame was received. Faults that are planned now apply to this frame.
        case frame
        /// An HTTP call was received. Faults that are planned now apply to this call.
        case call
        /// A device has registered.
        case registered
        /// A client's handshake is complete.
        case ready
        /// A client's message was stored for the first time.
        case message
        /// A client is typing.
        case typing
        /// A client answered a survey, or one of its questions.
        case surveyAnswer
        case threadOpened
        case threadClosed
        /// A socket was closed, by either side.
        case disconnected

        /// Whether the trigger is evaluated before its event takes effect.
        var comesFirst: Bool { self == .upgrade || self == .frame || self == .call }
    }

    package var kind: Kind
    /// The action or content type of a frame, or the name of a call.
    package var name: String?
    /// The text that a message must contain, ignoring case.
    package var text: String?
    /// The client that the event must concern.
    package var clientID: String?
    /// The step happens at every `count`-th matching event.
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
