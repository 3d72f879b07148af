/// A script: a list of steps, each with a trigger and actions.
package struct ServerScript: Hashable, Sendable {
    package var steps: [ScriptStep]

    package init(steps: [ScriptStep] = []) {
        self.steps = steps
    }
}

/// A step of a script.
package struct ScriptStep: Hashable, Sendable {
    package var trigger: ScriptTrigger
    /// The delay from the trigger to the actions, in nanoseconds.
    package var delay: Int64
    /// How often the step can happen; `nil` for no limit.
    package var times: Int?
    package var actions: [ScriptAction]

    package init(_ trigger: ScriptTrigger, delay: Int64 = 0, times: Int? = 1, actions: [ScriptAction]) {
        self.trigger = trigger
        self.delay = max(0, delay)
        self.times = times
        self.actions = actions
    }
}

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

/// An action of a script or of the operators' interface.
package enum ScriptAction: Hashable, Sendable {
    /// Executes an operator's action.
    case act(OperatorAction, ScriptTarget)
    /// Plans a fault, the given number of times.
    case plan(ServerFault, times: Int)
    /// Sets the network conditions.
    case network(NetworkConditions)
    /// Sets the accepted tokens.
    case access(AccessRule)
    /// Changes settings for all clients and pushes them.
    case settings(SettingsChange)
    /// Presents another identity to new connections.
    case identity(String)
    /// Closes sockets with a code that a close frame may contain.
    case close(code: UInt16, reason: String, ScriptTarget)
    /// Disconnects sockets without a close frame.
    case cut(ScriptTarget)
}

/// The target of an action.
package enum ScriptTarget: Hashable, Sendable {
    /// The client or connection that triggered the step; all of them if there is none.
    case trigger
    case client(String)
    case everyone
}

extension ScriptTarget {
    /// Returns the target client; `nil` for all clients.
    func client(_ origin: ScriptEvent) -> String? {
        switch self {
        case .trigger: origin.clientID
        case .client(let clientID): clientID
        case .everyone: nil
        }
    }

    /// Returns the target sockets.
    func sockets(_ origin: ScriptEvent, _ connections: ConnectionTable) -> [ConnectionID] {
        if case .trigger = self, let connection = origin.connection {
            return connections[connection] == nil ? [] : [connection]
        }
        guard let clientID = client(origin) else { return connections.ids }
        return connections.ids(of: clientID)
    }
}
