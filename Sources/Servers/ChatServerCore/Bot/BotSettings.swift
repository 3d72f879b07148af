package import ChatWire

/// The settings of the bot, the operator that answers automatically.
package struct BotSettings: Hashable, Sendable {
    /// The operator who answers.
    package var `operator`: Operator
    /// The delay from a message to its answer in nanoseconds. The message is marked as read after a quarter of it, and
    /// typing is shown after half.
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
