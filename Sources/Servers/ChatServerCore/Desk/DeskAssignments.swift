/// Which operator each conversation is assigned to. A conversation has at most one.
struct DeskAssignments: Hashable, Sendable {
    /// The result of a claim.
    enum Outcome: Hashable, Sendable {
        case assigned(DeskAssignment)
        /// The conversation is already assigned to this operator.
        case unchanged
        /// The conversation is assigned to another operator.
        case taken(by: DeskOperator)
    }

    // Only for lookup, never iterated.
    private var assignments: [String: DeskAssignment] = [:]

    init(restored: [DeskAssignment]) {
        for assignment in restored { assignments[assignment.clientID] = assignment }
    }

    subscript(clientID: String) -> DeskAssignment? { assignments[clientID] }

    /// Assigns a conversation to an operator.
    ///
    /// - Parameter predecessor: The operator from whom the conversation is taken over. The claim fails if it is
    ///   assigned to anyone else by now, so that one of two concurrent claims wins.
    mutating func claim(
        _ clientID: String, by claimant: DeskOperator, from predecessor: String? = nil, at wall: Int64
    ) -> Outcome {
        if let present = assignments[clientID] {
            if present.operator.id == claimant.id { return .unchanged }
            guard present.operator.id == predecessor else { return .taken(by: present.operator) }
        }
        let assignment = DeskAssignment(clientID: clientID, operator: claimant, since: wall)
        assignments[clientID] = assignment
        return .assigned(assignment)
    }

    /// Ends the assignment of a conversation. Returns `false` if there is none.
    mutating func release(_ clientID: String) -> Bool { assignments.removeValue(forKey: clientID) != nil }
}
