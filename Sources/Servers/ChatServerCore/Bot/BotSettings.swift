package import ChatWire

/// The operator that answers by itself.
package struct BotSettings: Hashable, Sendable {
    /// Who answers.
    package var `operator`: Operator
    /// Nanoseconds from a message to its answer. It is marked as read after a quarter, and typing shows after a half.
    package var delay: Int64

    package init(operator: Operator = .vera, delay: Int64 = 1_200_000_000) {
        self.operator = `operator`
        self.delay = max(0, delay)
    }
}

extension Operator {
    /// The development server's operator.
    package static let vera = Operator(id: "1", name: "Vera", gender: .female, role: .bot)
}
